/** The types of OpenCode's API, from its SDK. Only types are imported: the SDK is not needed at run time. */
import type { Event, Message, Part } from "@opencode-ai/sdk/v2/types";

export type {
  Agent as OpenCodeAgent,
  AssistantMessage,
  File as FileStatus,
  FileContent,
  FileNode,
  Model,
  Part,
  Path,
  PermissionRequest,
  Project,
  Provider,
  Pty,
  QuestionRequest,
  Session as OpenCodeSession,
  SessionStatus,
  SnapshotFileDiff,
  Todo,
  ToolPart,
  UserMessage,
} from "@opencode-ai/sdk/v2/types";

export interface MessageWithParts {
  info: Message;
  parts: Part[];
}

type WithoutId<Each> = Each extends { type: infer Type; properties: infer Properties }
  ? { type: Type; properties: Properties }
  : never;

/** An event without its id. */
export type OpenCodeEvent = WithoutId<Event>;
