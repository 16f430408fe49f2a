/**
 * The extension that runs inside Pi. Pi has no permissions, questions or plan mode, but an extension can block tool calls,
 * add tools and send dialogs to its host. It is shipped as the source of one function, so it must not refer to anything
 * outside of that function. Its requests are JSON with a prefix in the title of a dialog, the only available field.
 */
export interface ExtensionSetup {
  mode: GateMode;
  /** Keys and base URLs by provider, in Pi's configuration format. */
  providers: Record<string, { apiKey?: string; baseUrl?: string }>;
  /** Tools of MCP servers. */
  tools: OfferedTool[];
}

export interface OfferedTool {
  /** The name for the model. */
  name: string;
  server: string;
  tool: string;
  description: string;
  /** A JSON schema. */
  parameters: unknown;
}

export type GateMode = "default" | "acceptEdits" | "bypass" | "plan";

/** Prefix of the titles of our dialogs; the kind and a JSON text follow. */
export const dialogMark = "sandbox-agent/";

/** The part of Pi's extension interface that is used. */
interface Pi {
  on(event: "session_start", handler: () => void): void;
  on(event: "tool_call", handler: (call: ToolCallEvent, context: Context) => Promise<Block | undefined>): void;
  on(event: "tool_result", handler: (result: ToolResultEvent) => { details: unknown } | undefined): void;
  registerTool(tool: Tool): void;
  registerProvider(name: string, config: { apiKey?: string; baseUrl?: string }): void;
  getActiveTools(): string[];
  setActiveTools(names: string[]): void;
}

interface ToolCallEvent {
  toolCallId: string;
  toolName: string;
  input: Record<string, unknown>;
}

interface ToolResultEvent extends ToolCallEvent {
  details: unknown;
  isError: boolean;
}

interface Block {
  block: true;
  reason: string;
}

interface Context {
  cwd: string;
  signal?: AbortSignal;
  ui: { input(title: string, placeholder?: string, options?: { signal?: AbortSignal }): Promise<string | undefined> };
}

interface Tool {
  name: string;
  label: string;
  description: string;
  promptSnippet?: string;
  parameters: unknown;
  executionMode?: "sequential";
  execute(
    id: string,
    input: Record<string, unknown>,
    signal: AbortSignal | undefined,
    onUpdate: unknown,
    context: Context,
  ): Promise<{ content: unknown[]; details: unknown }>;
}

/** `unifiedPatch`: Pi's own function. */
export function piExtension(
  pi: Pi,
  unifiedPatch: ((path: string, before: string, after: string) => string) | undefined,
): void {
  const { closeSync, readFileSync, statSync } = process.getBuiltinModule("node:fs");
  const { resolve } = process.getBuiltinModule("node:path");

  const reading = ["read", "grep", "find", "ls"];
  const asking = ["question", "exit_plan_mode"];
  const editing = ["edit", "write"];
  const maxDiffBytes = 1_000_000;

  /** The setup can be read from its descriptor only once, but Pi may load extensions again in the same process. */
  function readSetup(): ExtensionSetup {
    const known = Symbol.for("sandbox-agent.setup");
    const before: ExtensionSetup | undefined = Reflect.get(globalThis, known);
    if (before) return before;
    const setup: ExtensionSetup = JSON.parse(readFileSync(3, "utf8"));
    closeSync(3);
    Reflect.set(globalThis, known, setup);
    return setup;
  }

  const setup = readSetup();
  // This variable makes our executable the runtime of Pi. Programs started by Pi must not inherit it.
  delete process.env.BUN_BE_BUN;
  for (const [name, config] of Object.entries(setup.providers)) pi.registerProvider(name, config);

  /** The answer of the host; undefined if the turn was aborted or the user declined. */
  async function ask(context: Context, signal: AbortSignal | undefined, kind: string, what: unknown): Promise<unknown> {
    const title = `sandbox-agent/${kind} ${JSON.stringify(what)}`;
    const answer = await context.ui.input(title, undefined, { ...(signal && { signal }) });
    return answer === undefined ? undefined : JSON.parse(answer);
  }

  // ── Permissions ───────────────────────────────────────────────────────────────────────────────────────────────────

  function isAllowed(tool: string): boolean {
    if (reading.includes(tool) || asking.includes(tool) || setup.mode === "bypass") return true;
    return setup.mode === "acceptEdits" && editing.includes(tool);
  }

  async function rejection(call: ToolCallEvent, context: Context): Promise<string | null> {
    const { toolCallId, toolName, input } = call;
    if (isAllowed(toolName)) return null;
    if (setup.mode === "plan")
      return "Plan mode: nothing may be changed before the user has approved a plan. Present it with exit_plan_mode.";
    const reply = await ask(context, context.signal, "permission", { toolCallId, toolName, input });
    return reply === "once" || reply === "always" ? null : "The user rejected this tool call.";
  }

  pi.on("tool_call", async (call, context) => {
    const reason = await rejection(call, context);
    if (reason !== null) return { block: true, reason };
    if (call.toolName === "write") remember(call, context);
    return undefined;
  });

  // ── Diffs of written files ────────────────────────────────────────────────────────────────────────────────────────

  /** Contents of files before they were written, by call. */
  const contents = new Map<string, string>();

  function remember({ toolCallId, input }: ToolCallEvent, { cwd }: Context): void {
    const path = resolve(cwd, String(input.path));
    const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
    if (size > maxDiffBytes) return;
    try {
      contents.set(toolCallId, size === 0 ? "" : readFileSync(path, "utf8"));
    } catch {}
  }

  pi.on("tool_result", ({ toolCallId, toolName, input, details, isError }) => {
    const before = contents.get(toolCallId);
    contents.delete(toolCallId);
    if (toolName !== "write" || isError || before === undefined || !unifiedPatch) return undefined;
    const after = String(input.content);
    if (after.length > maxDiffBytes) return undefined;
    const known = typeof details === "object" ? details : {};
    return { details: { ...known, patch: unifiedPatch(String(input.path), before, after) } };
  });

  // ── Questions ─────────────────────────────────────────────────────────────────────────────────────────────────────

  const text = { type: "string" };
  const option = { type: "object", properties: { label: text, description: text }, required: ["label"] };
  const question = {
    type: "object",
    properties: {
      question: { type: "string", description: "The whole question" },
      header: { type: "string", description: "A short label, one or two words" },
      multiple: { type: "boolean", description: "Whether several options may be chosen" },
      options: { type: "array", items: option },
    },
    required: ["question", "options"],
  };

  pi.registerTool({
    name: "question",
    label: "Question",
    description: "Asks the user one or more questions with options to choose from, and waits for the answers.",
    promptSnippet: "Ask the user when a decision is theirs to make",
    executionMode: "sequential",
    parameters: {
      type: "object",
      properties: { questions: { type: "array", items: question, minItems: 1 } },
      required: ["questions"],
    },
    async execute(toolCallId, { questions }, signal, _, context) {
      const answers = await ask(context, signal, "question", { toolCallId, questions });
      if (!Array.isArray(answers) || !Array.isArray(questions)) throw new Error("The user declined to answer.");
      const lines = questions.map((each, index) => `${each.question}\n${(answers[index] ?? []).join(", ")}`);
      return { content: [{ type: "text", text: lines.join("\n\n") }], details: { answers } };
    },
  });

  // ── MCP ───────────────────────────────────────────────────────────────────────────────────────────────────────────

  for (const { name, server, tool, description, parameters } of setup.tools)
    pi.registerTool({
      name,
      label: name,
      description,
      parameters,
      async execute(toolCallId, input, signal, _, context) {
        const result = await ask(context, signal, "mcp", { toolCallId, server, tool, arguments: input });
        if (typeof result !== "object" || result === null) throw new Error("The call was aborted.");
        const { isError, content }: { isError?: boolean; content?: { text?: string }[] } = result;
        if (isError) throw new Error(content?.map(({ text }) => text ?? "").join("\n"));
        return { content: content ?? [], details: { server, tool } };
      },
    });

  // ── Plans ─────────────────────────────────────────────────────────────────────────────────────────────────────────

  if (setup.mode !== "plan") return;
  let tools: string[] = [];

  pi.on("session_start", () => {
    tools = pi.getActiveTools().filter((name) => !asking.includes(name));
    pi.setActiveTools([...reading, ...asking]);
  });

  pi.registerTool({
    name: "exit_plan_mode",
    label: "Plan",
    description: "Presents the finished plan to the user for approval. Nothing may be changed before.",
    promptSnippet: "Present the plan and ask for its approval",
    executionMode: "sequential",
    parameters: {
      type: "object",
      properties: { plan: { type: "string", description: "The plan, in Markdown" } },
      required: ["plan"],
    },
    async execute(toolCallId, { plan }, signal, _, context) {
      const verdict = await ask(context, signal, "plan", { toolCallId, plan });
      if (typeof verdict !== "object" || verdict === null) throw new Error("The user did not approve the plan.");
      const { mode, feedback }: { mode?: GateMode; feedback?: string } = verdict;
      if (!mode) throw new Error(`The user did not approve the plan: ${feedback}`);
      setup.mode = mode;
      pi.setActiveTools([...tools, "question"]);
      return {
        content: [{ type: "text", text: "The user has approved the plan. Plan mode is over; carry it out." }],
        details: { mode },
      };
    },
  });
}
