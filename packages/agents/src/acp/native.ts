/**
 * Schemas for the fields of ACP messages that are used, lenient about everything else. The official schemas drop unknown
 * updates and fields, and agents in use implement different revisions of the protocol.
 */
import { type Infer, lazy, lazyObject } from "@sandbox-agent/schema";
import * as z from "zod";
import { Form } from "../forms.ts";
import { isRecord } from "../json.ts";

/** For messages that are parsed once per session: compiling the schema would take longer than the check. */
export const readOnce = { jitless: true };

/** Missing, null and invalid values become null. */
const maybe = <Schema extends z.ZodType>(schema: Schema) => schema.nullish().catch(null);
const text = lazy(() => maybe(z.string()));
const count = lazy(() => maybe(z.number()));
const listOf = <Item extends z.ZodType>(item: Item) =>
  z
    .array(z.unknown())
    .nullish()
    .catch(null)
    .transform((entries) => entries?.flatMap((entry) => item.safeParse(entry).data ?? []));
/** A capability that is an object: its presence means true. */
const presence = lazy(() =>
  z
    .unknown()
    .optional()
    .transform((value) => typeof value === "object" && value !== null),
);

export const InitializeResult = lazyObject(() => ({
  protocolVersion: z.number(),
  agentCapabilities: z
    .object({
      loadSession: z.boolean().catch(false),
      promptCapabilities: z.object({ image: z.boolean().catch(false) }).catch({ image: false }),
      mcpCapabilities: z
        .object({ http: z.boolean().catch(false), sse: z.boolean().catch(false) })
        .catch({ http: false, sse: false }),
      sessionCapabilities: z.object({ resume: presence(), delete: presence() }).catch({ resume: false, delete: false }),
    })
    .catch({
      loadSession: false,
      promptCapabilities: { image: false },
      mcpCapabilities: { http: false, sse: false },
      sessionCapabilities: { resume: false, delete: false },
    }),
  _meta: z
    .object({ steering: z.object({ supported: z.boolean() }).optional() })
    .optional()
    .catch(undefined),
}));
export type InitializeResult = Infer<typeof InitializeResult>;
export type AgentAbilities = InitializeResult["agentCapabilities"];

const Choice = lazyObject(() => ({ value: z.string(), name: text(), description: text() }));
const ChoiceGroup = lazyObject(() => ({ options: listOf(Choice()) }));

/** Boolean options are not used: no setting of a session corresponds to them. */
const ConfigOption = lazyObject(() => ({
  id: z.string(),
  category: text(),
  currentValue: z.string(),
  options: listOf(z.union([Choice(), ChoiceGroup()])).transform((entries) =>
    (entries ?? []).flatMap((entry) => ("value" in entry ? [entry] : (entry.options ?? []))),
  ),
}));
export type ConfigOption = Infer<typeof ConfigOption>;

export const SessionResult = lazyObject(() => ({
  sessionId: text(),
  modes: maybe(
    z.object({
      currentModeId: text(),
      availableModes: listOf(z.object({ id: z.string(), name: text(), description: text() })),
    }),
  ),
  models: maybe(
    z.object({ currentModelId: text(), availableModels: listOf(z.object({ modelId: z.string(), name: text() })) }),
  ),
  configOptions: listOf(ConfigOption()),
}));
export type SessionResult = Infer<typeof SessionResult>;

export const ContentBlock = lazyObject(() => ({
  type: z.string(),
  text: text(),
  data: text(),
  mimeType: text(),
  uri: text(),
  resource: maybe(z.object({ uri: text(), text: text(), mimeType: text() })),
}));
export type ContentBlock = Infer<typeof ContentBlock>;

const ToolContent = lazyObject(() => ({
  type: z.string(),
  content: maybe(ContentBlock()),
  path: text(),
  oldText: text(),
  newText: text(),
}));
export type ToolContent = Infer<typeof ToolContent>;

const TerminalText = lazy(() => maybe(z.object({ data: z.string() })));

/** Claude names the tool call whose subagent sent the message. */
const ClaudeMeta = lazy(() => maybe(z.object({ toolName: text(), parentToolUseId: text() })));

export const ToolCall = lazyObject(() => ({
  toolCallId: z.string(),
  title: text(),
  name: text(),
  kind: text(),
  status: text(),
  content: listOf(ToolContent()),
  locations: listOf(z.object({ path: z.string() })),
  rawInput: z.unknown().optional(),
  rawOutput: z.unknown().optional(),
  _meta: maybe(
    z.object({
      toolName: text(),
      claudeCode: ClaudeMeta(),
      terminal_output: TerminalText(),
      terminal_output_delta: TerminalText(),
      terminal_exit: maybe(z.object({ exit_code: count() })),
    }),
  ),
}));
export type ToolCall = Infer<typeof ToolCall>;

const Chunk = lazyObject(() => ({
  content: ContentBlock(),
  messageId: text(),
  _meta: maybe(
    z.object({
      claudeCode: ClaudeMeta(),
      /** A message of Qwen Code itself, not of its model. */
      qwenDiscreteMessage: maybe(z.boolean()),
    }),
  ),
}));

/**
 * Nearly all updates are chunks of text. They are read without a schema, because checking each one would cost more than
 * storing it.
 */
export function readChunk(update: SessionUpdate): Infer<typeof Chunk> {
  const { content, messageId, _meta } = update;
  const text = isRecord(content) && content.type === "text" && !_meta ? content.text : null;
  if (typeof text !== "string") return Chunk().parse(update);
  return { content: { type: "text", text }, messageId: typeof messageId === "string" ? messageId : null };
}

export type SessionUpdate = Record<string, unknown> & { sessionUpdate: string };

/** The update of a `session/update` message; null if it has none. */
export function updateIn(params: unknown): SessionUpdate | null {
  const update = isRecord(params) ? params.update : null;
  return isRecord(update) && isUpdate(update) ? update : null;
}

function isUpdate(update: Record<string, unknown>): update is SessionUpdate {
  return typeof update.sessionUpdate === "string";
}

export const Plan = lazyObject(() => ({
  entries: listOf(z.looseObject({ content: z.string(), status: text(), priority: text() })),
}));

export const UsageUpdate = lazyObject(() => ({
  used: count(),
  size: count(),
  cost: maybe(z.object({ amount: z.number(), currency: text() })),
}));

export const Notice = lazyObject(() => ({ severity: text(), title: text(), description: text() }));

export const Compaction = lazyObject(() => ({
  compactionId: z.string(),
  status: text(),
  summary: listOf(ContentBlock()),
}));

export const ModeUpdate = lazyObject(() => ({ currentModeId: z.string() }));

export const PermissionRequest = lazyObject(() => ({
  toolCall: ToolCall(),
  options: listOf(z.object({ optionId: z.string(), name: z.string(), kind: text() })),
}));
export type PermissionRequest = Infer<typeof PermissionRequest>;

export const Elicitation = lazyObject(() => ({
  mode: z.string(),
  message: z.string().catch(""),
  toolCallId: text(),
  requestedSchema: Form(),
}));
export type Elicitation = Infer<typeof Elicitation>;

const Tokens = lazyObject(() => ({
  inputTokens: count(),
  outputTokens: count(),
  cachedReadTokens: count(),
  thoughtTokens: count(),
}));
export type Tokens = Infer<typeof Tokens>;

export const PromptResult = lazyObject(() => ({
  stopReason: z.string().catch("end_turn"),
  /** Null if the agent reports explicitly that no tokens were used. */
  usage: Tokens().nullish().catch(undefined),
  _meta: maybe(
    z.object({
      quota: maybe(z.object({ token_count: maybe(z.object({ input_tokens: count(), output_tokens: count() })) })),
    }),
  ),
}));
export type PromptResult = Infer<typeof PromptResult>;

/** Qwen Code reports usage in the `_meta` of an empty chunk. */
export const ChunkUsage = lazyObject(() => ({
  _meta: z.object({ usage: Tokens() }),
}));
