import { describe, expect, test } from "vitest";
import { answer, type Memory } from "./conversation.ts";
import type { Answer, Entry, Exchange, OfferedTool } from "./exchange.ts";

const claude = offer("Bash", "Read", "Write", "Edit", "AskUserQuestion", "ExitPlanMode", "TaskCreate", "Agent");
const opencode = offer("bash", "read", "write", "edit", "question", "todowrite", "task");
const codex: OfferedTool[] = [
  ...offer("exec_command", "request_user_input", "update_plan"),
  { name: "apply_patch", namespace: null, form: "freeform" },
  { name: "tool_search", namespace: null, form: "search" },
];
const codeMode: OfferedTool[] = [
  { name: "exec", namespace: null, form: "freeform" },
  { name: "exec_command", namespace: null, form: "code" },
  { name: "apply_patch", namespace: null, form: "code" },
  { name: "spawn_agent", namespace: "collaboration", form: "function" },
  { name: "wait_agent", namespace: "collaboration", form: "function" },
];

function offer(...names: string[]): OfferedTool[] {
  return names.map((name) => ({ name, namespace: null, form: "function" }));
}

function exchange(tools: OfferedTool[], entries: Entry[]): Exchange {
  return { model: "m", session: "s", entries, tools, instructions: "", compacts: false };
}

function user(text: string): Entry {
  return { kind: "user", text };
}

/** Plays a prompt to its end, as an agent would, and tells what was said and called, response by response. */
function play(tools: OfferedTool[], prompt: string, results: string[] = []): string[][] {
  const entries: Entry[] = [user(prompt)];
  const rounds: string[][] = [];
  for (let round = 0; round < 20; round += 1) {
    const { outputs } = answer(exchange(tools, entries), new Set());
    rounds.push(outputs.map(outline));
    const calls = outputs.filter((output) => output.type === "call");
    if (calls.length === 0) return rounds;
    for (const call of calls) entries.push({ kind: "call", id: call.id, name: call.name });
    for (const call of calls) entries.push({ kind: "result", id: call.id, text: results[round] ?? "ok" });
  }
  throw new Error("The script does not end");
}

function outline(output: Answer["outputs"][number]): string {
  if (output.type === "text") return output.pieces.join("");
  if (output.type === "think") return `(${output.text})`;
  const name = output.namespace ? `${output.namespace}.${output.name}` : output.name;
  return `${name} ${typeof output.input === "string" ? output.input : JSON.stringify(output.input)}`;
}

function said(reply: Answer): string {
  return reply.outputs.map(outline).join(" ");
}

describe("what follows a tool call", () => {
  test("runs in the response to its result", () => {
    expect(play(offer("Bash"), '[[say a]][[tool Bash {"command":"x"}]][[think b]][[say c]]')).toEqual([
      ["a", 'Bash {"command":"x"}'],
      ["(b)", "c"],
    ]);
  });

  test("is 'Done.' when nothing follows", () => {
    expect(play(offer("X"), "[[tool X]]")).toEqual([["X {}"], ["Done."]]);
  });

  test("waits for all calls that go out together", () => {
    expect(play(offer("X"), '[[tools X {"n":1}]][[tools X {"n":2}]][[tool X {"n":3}]][[say end]]')).toEqual([
      ['X {"n":1}', 'X {"n":2}'],
      ['X {"n":3}'],
      ["end"],
    ]);
  });

  test("keeps its place when the agent has put reminders behind the result", () => {
    const first = answer(exchange(claude, [user("[[sh ls]][[say end]]")]), new Set());
    const call = first.outputs[0];
    if (call?.type !== "call") throw new Error("expected a call");
    const entries = [
      user("[[sh ls]][[say end]]"),
      { kind: "call", id: call.id, name: "Bash" } as const,
      { kind: "result", id: call.id, text: "x" } as const,
      user("<system-reminder>Be brief</system-reminder>"),
    ];
    expect(said(answer(exchange(claude, entries), new Set()))).toBe("end");
  });
});

describe("one script drives every agent", () => {
  test("shell", () => {
    expect(play(claude, "[[sh ls]]")[0]).toEqual(['Bash {"command":"ls","description":"Run a command"}']);
    expect(play(opencode, "[[sh ls]]")[0]).toEqual(['bash {"command":"ls"}']);
    expect(play(codex, "[[sh ls]]")[0]).toEqual(['exec_command {"cmd":"ls"}']);
    expect(play(codeMode, "[[sh ls]]")[0]?.[0]).toContain('exec const r = await tools.exec_command({"cmd":"ls"});');
  });

  test("editing a file reads it first where the agent insists on it", () => {
    expect(play(claude, "[[edit /a b => c]]").slice(0, 2)).toEqual([
      ['Read {"file_path":"/a"}'],
      ['Edit {"file_path":"/a","old_string":"b","new_string":"c"}'],
    ]);
    expect(play(codex, "[[edit /a b => c]]")[0]).toEqual([
      "apply_patch *** Begin Patch\n*** Update File: /a\n@@\n-b\n+c\n*** End Patch\n",
    ]);
  });

  test("a tool that is not on offer yet is searched for, once", () => {
    expect(play(codex, '[[mcp demo echo {"m":1}]][[say end]]')).toEqual([
      ['tool_search {"query":"demo echo"}'],
      ['mcp__demo.echo {"m":1}'],
      ["end"],
    ]);
  });

  test("a subagent is started and waited for", () => {
    const rounds = play(codex, "[[task {{say hi}}]][[say end]]", ["", '{"agent_id":"a1"}']);
    expect(rounds.map((round) => round[0])).toEqual([
      'tool_search {"query":"spawn agent wait sub-agents"}',
      'multi_agent_v1.spawn_agent {"message":"[[say hi]]"}',
      'tool_search {"query":"spawn agent wait sub-agents"}',
      'multi_agent_v1.wait_agent {"targets":["a1"],"timeout_ms":60000}',
      "end",
    ]);
    expect(play(codeMode, "[[task {{say hi}}]][[say end]]")).toHaveLength(3);
  });

  test("a plan", () => {
    expect(play(claude, "[[plan P]]")[0]).toEqual(['ExitPlanMode {"plan":"P"}']);
    expect(play(codex, "[[plan P]]")[0]).toEqual(["<proposed_plan>\nP\n</proposed_plan>"]);
    expect(play(opencode, "[[plan P]]")[0]).toEqual(["P"]);
  });

  test("a missing tool is reported as text", () => {
    expect(play(offer("X"), "[[sh ls]][[say end]]")).toEqual([["Cannot sh: no tool for it among X.", "end"]]);
  });
});

describe("which message is the script", () => {
  test("the last message of the user, not what the agent adds", () => {
    const entries = [user("[[say old]]"), user("[[say new]]"), user("<environment>x</environment>")];
    expect(said(answer(exchange(claude, entries), new Set()))).toBe("new");
  });

  test("a message sent while the agent works replaces the script", () => {
    const steered =
      "<system-reminder>\nThe user sent a new message while you were working:\n[[say new]]\n</system-reminder>";
    const entries: Entry[] = [user("[[sh ls]][[say old]]"), { kind: "result", id: "x", text: "" }, user(steered)];
    expect(said(answer(exchange(claude, entries), new Set()))).toBe("new");
  });

  test("news after the end of a script do not start it again", () => {
    const entries: Entry[] = [user("[[say a]]"), { kind: "assistant", text: "a" }, user("<task-notification>")];
    expect(said(answer(exchange(claude, entries), new Set()))).toBe("Noted.");
  });

  test("side jobs come without tools and leave the script alone", () => {
    const memory: Memory = new Set();
    const entries = [user("[[drop]][[say a]]")];
    expect(said(answer(exchange([], entries), memory))).toBe("Side note");
    expect(answer(exchange(claude, entries), memory).ending.type).toBe("drop");
  });
});

describe("failures", () => {
  test("happen once per conversation where the script says so", () => {
    const memory: Memory = new Set();
    const entries = [user("[[say a]][[error 500 once]][[say b]]")];
    const first = answer(exchange(claude, entries), memory);
    expect(first.ending).toMatchObject({ type: "failure", failure: { status: 500 } });
    expect(said(answer(exchange(claude, entries), memory))).toBe("a b");
    const other = { ...exchange(claude, entries), session: "other" };
    expect(answer(other, memory).ending.type).toBe("failure");
  });

  test("happen every time otherwise", () => {
    const memory: Memory = new Set();
    const entries = [user("[[drop always]]")];
    expect(answer(exchange(claude, entries), memory).ending.type).toBe("drop");
    expect(answer(exchange(claude, entries), memory).ending.type).toBe("drop");
  });
});

describe("reports", () => {
  const history: Entry[] = [user("<env/>"), user("The word is banana"), { kind: "assistant", text: "ok" }];

  test("context, recall, images, tools", () => {
    const image: Entry = { kind: "image", mediaType: "image/png", bytes: 70 };
    const ask = (text: string) => said(answer(exchange(opencode, [...history, image, user(text)]), new Set()));
    expect(ask("[[recall]]")).toBe("The word is banana");
    expect(ask("[[context]]")).toBe('User messages: 2 ("The word is banana", "[[context]]")');
    expect(ask("[[image]]")).toBe("Images: 1 (image/png 70 bytes)");
    expect(ask("[[echo-tools]]")).toBe("bash, read, write, edit, question, todowrite, task");
  });

  test("usage", () => {
    const reply = answer(exchange(claude, [user("[[usage 100 20 30]][[say a]]")]), new Set());
    expect(reply.usage).toEqual({ input: 100, output: 20, cached: 30 });
    expect(answer(exchange(claude, [user("hi")]), new Set()).usage.input).toBeGreaterThan(0);
  });
});
