/**
 * What is read of ACP messages: exactly the fields used, lenient about everything else. The official schemas drop updates
 * and fields they do not know, and agents speak several years of the protocol at once.
 */
import { type Infer, lazy, lazyObject } from "@sandbox-agent/schema";
import * as z from "zod";
import { Form } from "../forms.ts";
import { isRecord } from "../json.ts";

/** For what is read once per session: to compile a check takes longer than the check. */
export const readOnce = { jitless: true };

/** What is missing, null or of another shape reads as null. */
const maybe = <Schema extends z.ZodType>(schema: Schema) => schema.nullish().catch(null);
const text = lazy(() => maybe(z.string()));
const count = lazy(() => maybe(z.number()));
const listOf = <Item extends z.ZodType>(item: Item) =>
  z
    .array(z.unknown())
    .nullish()
    .catch(null)
    .transform((entries) => entries?.flatMap((entry) => item.safeParse(entry).data ?? []));
/** A capability that is an object: being there means yes. */
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

/** Switches that are on or off are left as they are: no setting of a session speaks of them. */
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

/** Claude names the call of the subagent that speaks. */
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
      /** Said by Qwen Code itself, beside what its model says. */
      qwenDiscreteMessage: maybe(z.boolean()),
    }),
  ),
}));

/**
 * Nearly all that agents say comes in chunks of text. Those are read by hand: checking each against a schema would cost
 * more than storing it.
 */
export function readChunk(update: SessionUpdate): Infer<typeof Chunk> {
  const { content, messageId, _meta } = update;
  const text = isRecord(content) && content.type === "text" && !_meta ? content.text : null;
  if (typeof text !== "string") return Chunk().parse(update);
  return { content: { type: "text", text }, messageId: typeof messageId === "string" ? messageId : null };
}

export type SessionUpdate = Record<string, unknown> & { sessionUpdate: string };

/** The update that a `session/update` brings; null when it is none. */
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
  /** Null where the agent says that there was none: the turn has used no tokens. */
  usage: Tokens().nullish().catch(undefined),
  _meta: maybe(
    z.object({
      quota: maybe(z.object({ token_count: maybe(z.object({ input_tokens: count(), output_tokens: count() })) })),
    }),
  ),
}));
export type PromptResult = Infer<typeof PromptResult>;

/** Qwen Code counts in the `_meta` of an empty chunk. */
export const ChunkUsage = lazyObject(() => ({
  _meta: z.object({ usage: Tokens() }),
}));
