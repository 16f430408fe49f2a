/**
 * The mock's commands. Each is a script: a generator of batches of drafts, which the session emits one after the other. The
 * command is the first word of a message; other text is repeated.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { ContentPart } from "@sandbox-agent/schema";
import type { Draft } from "../draft.ts";
import { completed, delta, message, started, status, toolCall, toolResult, unknown, whole } from "../item-drafts.ts";
import { text, textMessage, wholeMessage } from "./items.ts";

export interface MockContext {
  /** The native id of this turn's item with that suffix. */
  id(suffix: string): string;
  signal: AbortSignal;
  /** Resolves when all these requests have been answered. */
  replied(ids: string[]): Promise<unknown>;
}

export type Script = AsyncGenerator<Draft[]>;

interface Command {
  names: string[];
  help: string;
  run(context: MockContext, argument: string): Script;
}

export function scriptFor(messageText: string, context: MockContext): Script {
  const [, word = "", argument = ""] = messageText.trim().match(/^(\S+)\s*([\s\S]*)$/) ?? [];
  const command = commands.find(({ names }) => names.includes(word.toLowerCase()));
  return command ? command.run(context, argument) : reply(context, messageText);
}

async function* reply({ id }: MockContext, words: string): Script {
  yield* each(textMessage(id("reply"), words));
}

async function* echo({ id }: MockContext, words: string): Script {
  yield* each(textMessage(id("echo"), words || "Nothing to echo: write `echo` and some text."));
}

async function* help({ id }: MockContext): Script {
  const lines = commands.map((command) => `- \`${command.names.join("`, `")}\`: ${command.help}`);
  yield* each(
    textMessage(id("help"), `Commands of the mock agent:\n${lines.join("\n")}\n\nAny other text is repeated.`),
  );
}

// Split in the middle of tokens on purpose: renderers must handle half a heading, fence or link.
const markdownPieces = [
  "# Mo",
  "ck *mark",
  "down*\n\nSome **bold** text, `co",
  "de` and a [li",
  "nk](https://example.com).\n\n- first\n- sec",
  "ond\n\n```ts\nconst answer",
  " = 42;\n``",
  "`\n\n| a | b |\n|---|---|\n| 1 | 2 |\n",
];

async function* markdown({ id }: MockContext): Script {
  const itemId = id("markdown");
  yield [started(message({ id: itemId }, [text("")]))];
  for (const piece of markdownPieces) yield [delta(itemId, piece)];
  yield [completed(message({ id: itemId }, [text(markdownPieces.join(""))]))];
}

async function* tool({ id }: MockContext): Script {
  const callId = id("call");
  yield* each(whole(toolCall({ id: id("tool_call") }, "mock.search", '{"query":"example"}', callId)));

  const result = (files: ContentPart[]) =>
    toolResult({ id: id("tool_result") }, callId, "mock search failed after reading two files", files);
  yield [started(result([]))];
  const files: ContentPart[] = [
    { type: "file_ref", path: "src/example.ts", action: "read" },
    { type: "file_ref", path: "src/new.ts", action: "write", diff: "@@ -0,0 +1 @@\n+export const fresh = true;\n" },
    { type: "file_ref", path: "src/example.ts", action: "patch", diff: "@@ -1 +1 @@\n-const a = 1;\n+const a = 2;\n" },
  ];
  yield [completed(result(files), undefined, { failed: true })];
}

async function* statusItem({ id }: MockContext): Script {
  yield [started(status({ id: id("status") }, "Mock status", "working"))];
  yield [completed(status({ id: id("status") }, "Mock status", "done"))];
}

async function* image({ id }: MockContext): Script {
  const picture = { type: "image", path: "mock/image.png", mime: "image/png" } as const;
  yield* each(wholeMessage({ id: id("image") }, [text("Here is an image."), picture]));
}

async function* unknownItem({ id }: MockContext): Script {
  yield* each(whole(unknown({ id: id("unknown") }, { mock: "unknown" })));
}

async function* system({ id }: MockContext): Script {
  const content = [text("Mock system notice")];
  yield* each(whole({ id: id("system"), kind: "system", role: "system", content }));
}

async function* reason({ id }: MockContext): Script {
  const itemId = id("rich");
  yield [started(message({ id: itemId }, [text("")]))];
  yield [delta(itemId, "A rich ")];
  yield [delta(itemId, "message.")];
  yield [
    completed(
      message({ id: itemId }, [
        text("A rich message."),
        { type: "reasoning", text: "Shown to everybody.", visibility: "public" },
        { type: "reasoning", text: "Kept to myself.", visibility: "private" },
        { type: "json", json: { mock: true, answer: 42 } },
      ]),
    ),
  ];
}

async function* todo({ id }: MockContext): Script {
  const list = (first: string, second: string) =>
    status({ id: id("todo") }, "Todo", `${first}, ${second}`, {
      todos: [
        { content: "Read the code", status: first },
        { content: "Fix the test", status: second },
      ],
    });
  yield [started(list("in_progress", "pending"))];
  yield [completed(list("completed", "in_progress"))];
}

async function* subagent({ id }: MockContext): Script {
  const parent = id("task");
  const task = toolCall({ id: parent }, "task", '{"prompt":"Look around"}', id("task_call"));
  yield [started(task)];
  yield* each(textMessage(id("sub_message"), "I am the subagent.", parent));
  yield* each(whole(toolCall({ id: id("sub_tool"), parent }, "mock.list", "{}", id("sub_call"))));
  yield* each(whole(toolResult({ id: id("sub_result"), parent }, id("sub_call"), "README.md")));
  yield [completed(task)];
  yield* each(whole(toolResult({ id: id("task_result") }, id("task_call"), "One file.")));
}

function permissionRequests({ id }: MockContext): Draft[] {
  return [
    {
      type: "permission.requested",
      permission: { permission_id: id("permission"), action: "command_execution", metadata: { command: "ls -la" } },
    },
    {
      type: "permission.requested",
      permission: {
        permission_id: id("permission_denied"),
        action: "file_change",
        metadata: { path: "/etc/hosts" },
      },
    },
  ];
}

function questionRequests({ id }: MockContext): Draft[] {
  return [
    {
      type: "question.requested",
      question: { question_id: id("question"), prompt: "Which colour?", options: ["Red", "Blue"] },
    },
    {
      type: "question.requested",
      question: { question_id: id("question_reject"), prompt: "Shall I go on?", options: ["Yes", "No"] },
    },
  ];
}

/** Emits the requests, waits for all replies, then emits a message. */
async function* ask(context: MockContext, requests: Draft[]): Script {
  const answered = context.replied(requests.map(requestId));
  yield* each(requests);
  await answered;
  yield* each(textMessage(context.id("answered"), "All answered, thank you."));
}

function requestId(draft: Draft): string {
  if (draft.type === "permission.requested") return draft.permission.permission_id;
  if (draft.type === "question.requested") return draft.question.question_id;
  throw new Error(`${draft.type} is not a request`);
}

async function* unparsed(): Script {
  yield [
    {
      type: "agent.unparsed",
      unparsed: { error: "mock line that is not a message", location: "mock.stream" },
      raw: { mock: "unparsed" },
    },
  ];
}

async function* error(): Script {
  yield [
    { type: "error", error: { message: "mock error", code: "mock_error", details: { mock: true } }, synthetic: true },
  ];
  yield* unparsed();
}

async function* usage({ id }: MockContext): Script {
  yield* each(textMessage(id("usage"), "This turn reports its usage."));
  yield [
    {
      type: "turn.ended",
      synthetic: true,
      usage: {
        input_tokens: 1200,
        output_tokens: 340,
        cached_tokens: 800,
        reasoning_tokens: 60,
        cost_usd: 0.0125,
        context_used: 1540,
        context_window: 200000,
      },
    },
  ];
}

async function* slow({ id, signal }: MockContext, argument: string): Script {
  const [count, pause] = numbers(argument, [10, 100]);
  const itemId = id("slow");
  yield [started(message({ id: itemId }, [text("")]))];
  const words: string[] = [];
  for (let index = 1; index <= count; index++) {
    await sleep(pause, undefined, { signal }).catch(() => {});
    words.push(`word ${index} `);
    yield [delta(itemId, `word ${index} `)];
  }
  yield [completed(message({ id: itemId }, [text(words.join(""))]))];
}

const burstBatch = 500;
const burstWord = (number: number) => `${number} `;

async function* burst({ id }: MockContext, argument: string): Script {
  const [count] = numbers(argument, [1000]);
  const itemId = id("burst");
  yield [started(message({ id: itemId }, [text("")]))];
  for (let first = 1; first <= count; first += burstBatch) {
    const size = Math.min(burstBatch, count - first + 1);
    yield Array.from({ length: size }, (_, index) => delta(itemId, burstWord(first + index)));
  }
  const whole = Array.from({ length: count }, (_, index) => burstWord(index + 1)).join("");
  yield [completed(message({ id: itemId }, [text(whole)]))];
}

async function* crash({ id }: MockContext, argument: string): Script {
  if (argument !== "early") {
    yield [started(message({ id: id("crash") }, [text("")]))];
    yield [delta(id("crash"), "I am about to")];
  }
  const stderr = { head: "mock: fatal: crash requested", tail: null, truncated: false, total_lines: 1 };
  yield [{ type: "agent.exited", exit: { code: 1, message: "the mock agent crashed", stderr } }];
}

async function* hang({ signal }: MockContext): Script {
  yield* [];
  await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
}

async function* end(): Script {
  yield [{ type: "session.ended", synthetic: true }];
}

async function* demo(context: MockContext): Script {
  const { id } = context;
  const parts: [string, Script][] = [
    ["system", system(context)],
    ["rich message", reason(context)],
    ["status", statusItem(context)],
    ["markdown", markdown(context)],
    ["tool", tool(context)],
    ["image", image(context)],
    ["unknown", unknownItem(context)],
    ["permission", each(permissionRequests(context))],
    ["question", each(questionRequests(context))],
    ["error", error()],
  ];
  for (const [name, script] of parts) {
    yield* each(textMessage(id(`demo_${name.replace(" ", "_")}`), `Now: ${name}`));
    yield* script;
  }
}

const commands: Command[] = [
  { names: ["help"], help: "this list", run: help },
  { names: ["echo", "say"], help: "repeat the rest of the line", run: echo },
  { names: ["demo"], help: "every kind of event, one after the other", run: demo },
  { names: ["markdown"], help: "a document in eight awkward deltas", run: markdown },
  { names: ["reason"], help: "a message with text, reasoning and JSON", run: reason },
  { names: ["tool", "tools", "tooling"], help: "a tool call that fails, with file references", run: tool },
  { names: ["status"], help: "a status item", run: statusItem },
  { names: ["todo"], help: "a todo list", run: todo },
  { names: ["subagent"], help: "items of a subagent", run: subagent },
  { names: ["image"], help: "a message with an image", run: image },
  { names: ["unknown"], help: "an item of unknown kind", run: unknownItem },
  asking(["permission", "permissions"], "ask for two permissions", permissionRequests),
  asking(["permission1"], "ask for one permission", permissionRequests, 1),
  asking(["question", "questions"], "ask two questions", questionRequests),
  asking(["question1"], "ask one question", questionRequests, 1),
  { names: ["usage"], help: "report tokens and cost", run: usage },
  { names: ["slow"], help: "`slow N [ms]`: N deltas, 100 ms apart by default", run: slow },
  { names: ["burst"], help: "`burst N`: N deltas as fast as possible", run: burst },
  { names: ["error"], help: "an error and an unparsed line", run: error },
  { names: ["unparsed"], help: "an unparsed line", run: unparsed },
  { names: ["crash"], help: "the agent exits in a message; `crash early`: before it", run: crash },
  { names: ["hang"], help: "the agent never answers", run: hang },
  { names: ["end", "ended", "session.end"], help: "the agent ends the session", run: end },
];

function asking(names: string[], help: string, requests: (context: MockContext) => Draft[], count = 2): Command {
  return { names, help, run: (context) => ask(context, requests(context).slice(0, count)) };
}

async function* each(drafts: Draft[]): Script {
  for (const draft of drafts) yield [draft];
}

/** Whole numbers of an argument, with defaults for those missing or malformed. */
function numbers<Defaults extends number[]>(argument: string, defaults: [...Defaults]): [...Defaults] {
  const words = argument.split(/\s+/);
  return defaults.map((fallback, index) =>
    /^\d{1,9}$/.test(words[index] ?? "") ? Number(words[index]) : fallback,
  ) as [...Defaults];
}
