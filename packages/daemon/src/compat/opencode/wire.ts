/** The shapes of OpenCode's API, as its own SDK publishes them. Types alone: nothing of the SDK is there when we run. */
import type { Event, Message, Part } from "@opencode-ai/sdk/v2/types";

export type {
  Agent as AgentListed,
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
  Session as SessionShown,
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

/** An event before it has an id. */
export type OpenCodeEvent = WithoutId<Event>;
