/** The real OpenCode behind a real daemon, one server for all of these conversations. Only the model's words are scripted. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { TerminalList } from "@sandbox-agent/schema";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Lab, openLab, testKey } from "./opencode-lab.ts";
import { endOf, errorsOf, itemsOf, outputs, texts } from "./reading.ts";

// A machine that is busy with other things may need long to start a server of this size.
const timeoutMs = 120_000;
let lab: Lab;
beforeAll(async () => (lab = await openLab()), timeoutMs);
afterAll(() => lab.close(), timeoutMs);

let sessions = 0;
/** A new session, and the check that its whole history is well-formed at the end. */
function conversation(name: string, body: Record<string, unknown>, act: (id: string) => Promise<void>): void {
  test(
    name,
    async () => {
      const id = `s${++sessions}`;
      await lab.create(id, body);
      await act(id);
      await lab.check(id);
    },
    timeoutMs,
  );
}

describe("conversations", () => {
  conversation("streams, and remembers the first turn in the second", {}, async (id) => {
    const first = await lab.turn(id, "[[slow 5 20]]");
    expect(first.filter(({ type }) => type === "item.delta").length).toBeGreaterThan(1);
    expect(endOf(first)).toBe("completed");
    expect(texts(await lab.turn(id, "[[context]]"))[0]).toContain("User messages: 2");
  });

  conversation("thinks aloud, apart from its answer", { variant: "high" }, async (id) => {
    const events = await lab.turn(id, "[[think let me see]][[say done]]");
    const parts = itemsOf(events, "message").flatMap(({ role, content }) => (role === "user" ? [] : content));
    expect(parts).toEqual([
      { type: "reasoning", text: "let me see", visibility: "public" },
      { type: "text", text: "done" },
    ]);
  });

  conversation("counts tokens, cost and context", {}, async (id) => {
    const events = await lab.turn(id, "[[usage 100 20 40]][[say x]]");
    const end = events.find(({ type }) => type === "turn.ended");
    expect(end?.data).toMatchObject({
      metadata: {
        usage: {
          output_tokens: 20,
          cached_tokens: 40,
          cost_usd: expect.any(Number),
          context_window: expect.any(Number),
        },
      },
    });
  });

  conversation("takes a message into the running turn", {}, async (id) => {
    await lab.send(id, "[[slow 20 50]]");
    await lab.seen(id, ({ type }) => type === "item.delta");
    await lab.send(id, "[[say steered]]", { delivery: "steer" });
    await lab.wait(id, "idle");
    const events = await lab.client.events(id);
    expect(texts(events).at(-1)).toBe("steered");
    expect(events.filter(({ type }) => type === "turn.ended")).toHaveLength(1);
  });

  conversation("changes the model between turns", {}, async (id) => {
    await lab.turn(id, "[[say one]]");
    await lab.client.patch(`/v1/sessions/${id}`, { model: "anthropic/claude-haiku-4-5" });
    await lab.turn(id, "[[say two]]");
    const models = lab.model.requests.flatMap(({ body }) =>
      typeof body === "object" && body !== null && "model" in body ? [body.model] : [],
    );
    expect(models.at(-1)).toMatch(/haiku/);
  });
});

describe("attachments", () => {
  const onePixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

  conversation("an image reaches the model as an image", {}, async (id) => {
    const path = join(lab.directory, "pixel.png");
    writeFileSync(path, Buffer.from(onePixel, "base64"));
    const events = await lab.turn(id, "[[image]]", { attachments: [{ path, mime: "image/png" }] });
    expect(texts(events)[0]).toContain("image/png");
  });

  conversation("a text file reaches the model as text", {}, async (id) => {
    writeFileSync(join(lab.directory, "note.json"), '{"secret":"marmalade"}');
    await lab.turn(id, "[[say read]]", { attachments: [{ path: "note.json" }] });
    expect(lab.model.newestBody()).toContain("marmalade");
  });

  conversation("a file that is not there fails the turn with a clear error", {}, async (id) => {
    const events = await lab.turn(id, "[[say x]]", { attachments: [{ path: "nowhere.txt" }] });
    expect(errorsOf(events)).toEqual(["invalid_request"]);
    expect(endOf(events)).toBe("failed");
  });
});

describe("permissions", () => {
  conversation("once: the command runs and its output streams", {}, async (id) => {
    await lab.send(id, "[[sh echo one; sleep 0.3; echo two]][[say done]]");
    const { permissions } = await lab.pending(id);
    expect(permissions).toMatchObject([{ action: "bash", metadata: { command: "echo one; sleep 0.3; echo two" } }]);
    await lab.allow(id, "once");
    await lab.wait(id, "idle");
    const events = await lab.client.events(id);
    expect(outputs(events)).toEqual(["one\ntwo\n"]);
    expect(texts(events)).toEqual(["done"]);
    const raw = await lab.client.events(id, "?include_raw=true");
    expect(raw.find(({ type }) => type === "permission.requested")?.raw).toMatchObject({ type: "permission.asked" });
    const { terminals } = TerminalList().parse((await lab.client.get("/v1/terminals")).json);
    expect(terminals.filter(({ sessionId }) => sessionId === id)).toMatchObject([
      { kind: "agent", title: "echo one; sleep 0.3; echo two", status: "exited" },
    ]);
  });

  conversation("always: the next one is not requested", {}, async (id) => {
    await lab.send(id, "[[sh echo one]][[sh echo two]][[say done]]");
    await lab.allow(id, "always");
    await lab.wait(id, "idle");
    expect(outputs(await lab.client.events(id))).toEqual(["one\n", "two\n"]);
  });

  conversation("always holds for this session alone", {}, async (id) => {
    await lab.send(id, "[[sh echo one]]");
    const { permissions } = await lab.pending(id);
    expect(permissions).toHaveLength(1);
    await lab.allow(id, "once");
    await lab.wait(id, "idle");
  });

  conversation("reject: nothing runs and the turn ends", {}, async (id) => {
    await lab.send(id, "[[sh touch rejected.txt]][[say done]]");
    await lab.allow(id, "reject");
    await lab.wait(id, "idle");
    const events = await lab.client.events(id);
    expect(itemsOf(events, "tool_result")).toMatchObject([{ status: "failed" }]);
    expect(await Bun.file(join(lab.directory, "rejected.txt")).exists()).toBe(false);
  });

  conversation("bypass asks nothing, in subagents neither", { permissionMode: "bypass" }, async (id) => {
    const events = await lab.turn(id, "[[sh echo parent]][[task {{sh echo child}}{{say child done}}]][[say done]]");
    expect(outputs(events).slice(0, 2)).toEqual(["parent\n", "child\n"]);
    expect(events.filter(({ type }) => type === "permission.requested")).toEqual([]);
  });

  conversation("a change of mode holds from the next turn on", { permissionMode: "bypass" }, async (id) => {
    await lab.turn(id, "[[sh echo free]]");
    await lab.client.patch(`/v1/sessions/${id}`, { permissionMode: "default" });
    await lab.send(id, "[[sh echo asked]]");
    await lab.allow(id, "once");
    await lab.wait(id, "idle");
  });
});

describe("files", () => {
  conversation(
    "changes carry unified diffs; acceptEdits does not ask",
    { permissionMode: "acceptEdits" },
    async (id) => {
      const path = join(lab.directory, "made.txt");
      const events = await lab.turn(id, `[[write ${path} one\ntwo\n]][[edit ${path} two => TWO]][[say done]]`);
      const refs = itemsOf(events, "tool_result").flatMap(({ content }) =>
        content.filter(({ type }) => type === "file_ref"),
      );
      expect(refs).toMatchObject([
        { path, action: "write", diff: expect.stringContaining("+one\n+two") },
        { path, action: "read" },
        { path, action: "patch", diff: expect.stringMatching(/-two[\s\S]*\+TWO/) },
      ]);
      expect(readFileSync(path, "utf8")).toContain("TWO");
    },
  );
});

describe("files of models that patch", () => {
  const body = {
    model: "openai/gpt-5",
    credentials: { openai: "own-key-of-the-session" },
    permissionMode: "acceptEdits",
  };

  conversation("carry a diff for each file", body, async (id) => {
    const path = join(lab.directory, "patched.txt");
    const patch = (lines: string) => {
      const patchText = `*** Begin Patch\n${lines}\n*** End Patch`;
      return `[[tool apply_patch ${JSON.stringify({ patchText })}]]`;
    };
    const script = patch(`*** Add File: ${path}\n+one`) + patch(`*** Update File: ${path}\n@@\n-one\n+two`);
    const events = await lab.turn(id, script);
    const refs = itemsOf(events, "tool_result").flatMap(({ content }) =>
      content.filter(({ type }) => type === "file_ref"),
    );
    expect(refs).toMatchObject([
      { path, action: "write", diff: expect.stringContaining("+one") },
      { path, action: "patch", diff: expect.stringMatching(/-one[\s\S]*\+two/) },
    ]);
  });
});

describe("questions", () => {
  conversation("are asked with their options and answered", {}, async (id) => {
    await lab.send(id, "[[ask Which colour? | Red | Blue]][[say thanks]]");
    const { questions } = await lab.pending(id);
    expect(questions).toMatchObject([{ prompt: "Which colour?", options: ["Red", "Blue"] }]);
    await lab.answer(id, [["Blue"]]);
    await lab.wait(id, "idle");
    const events = await lab.client.events(id);
    expect(outputs(events)[0]).toContain("Blue");
    expect(texts(events)).toEqual(["thanks"]);
  });

  conversation("may have several answers", {}, async (id) => {
    await lab.send(id, "[[askmulti Which ones? | A | B | C]][[say thanks]]");
    const { questions } = await lab.pending(id);
    expect(questions[0].metadata.questions).toMatchObject([{ multiSelect: true }]);
    await lab.answer(id, [["A", "C"]]);
    await lab.wait(id, "idle");
    expect(outputs(await lab.client.events(id))[0]).toMatch(/A.*C/);
  });

  conversation("may be rejected", {}, async (id) => {
    await lab.send(id, "[[ask Well? | Yes | No]][[say never]]");
    const { questions } = await lab.pending(id);
    await lab.client.post(`/v1/sessions/${id}/questions/${questions[0].question_id}/reject`);
    await lab.wait(id, "idle");
    expect(texts(await lab.client.events(id))).toEqual([]);
  });
});

describe("plans", () => {
  conversation("nothing is edited while planning, not even by a subagent", { permissionMode: "plan" }, async (id) => {
    const path = join(lab.directory, "forbidden.txt");
    const script = `[[write ${path} x]][[task {{write ${path} x}}{{say child done}}]][[say planned]]`;
    const events = await lab.turn(id, script);
    expect(itemsOf(events, "tool_result").map(({ status }) => status)).toEqual(["failed", "failed", "completed"]);
    expect(await Bun.file(path).exists()).toBe(false);
    expect(texts(events).at(-1)).toBe("planned");
  });

  conversation("an approved plan is carried out", { permissionMode: "plan" }, async (id) => {
    await lab.send(id, "[[tool plan_exit {}]]");
    const { questions } = await lab.pending(id);
    expect(questions[0].options).toEqual(["Approve", "Approve and accept edits", "Reject"]);
    await lab.answer(id, [["Approve and accept edits"]]);
    await lab.wait(id, "idle");
    expect(texts(await lab.client.events(id)).at(-1)).toContain("has been approved");
    const path = join(lab.directory, "planned.txt");
    const events = await lab.turn(id, `[[write ${path} built]]`);
    expect(itemsOf(events, "tool_result")).toMatchObject([{ status: "completed" }]);
    expect(readFileSync(path, "utf8")).toContain("built");
  });

  for (const answer of ["Reject", "First add a test"])
    conversation(`a plan that is answered with "${answer}" ends the turn`, { permissionMode: "plan" }, async (id) => {
      await lab.send(id, "[[tool plan_exit {}]][[say never]]");
      await lab.answer(id, [[answer]]);
      await lab.wait(id, "idle");
      expect(texts(await lab.client.events(id))).toEqual([]);
    });
});

describe("work", () => {
  test(
    "a skill of the session is offered to the model",
    async () => {
      const skill = join(lab.home, "skills/marmalade");
      mkdirSync(skill, { recursive: true });
      writeFileSync(
        join(skill, "SKILL.md"),
        "---\nname: marmalade\ndescription: Knows marmalade\n---\nBoil oranges.\n",
      );
      const directory = join(lab.home, "with-skills");
      mkdirSync(directory);
      await lab.create("skilled", {
        directory,
        skills: { sources: [{ type: "local", source: join(lab.home, "skills") }] },
      });
      await lab.turn("skilled", "[[say done]]");
      expect(lab.model.newestBody()).toContain("Knows marmalade");
      await lab.check("skilled");
    },
    timeoutMs,
  );

  conversation("a todo list is a status item with data", {}, async (id) => {
    const events = await lab.turn(id, "[[todo read; write]][[say done]]");
    const lists = itemsOf(events, "status").flatMap(({ content }) => content.filter(({ type }) => type === "json"));
    expect(lists).toMatchObject([{ json: { todos: [{ content: "read" }, { content: "write" }] } }]);
  });

  conversation("a subagent's items belong to the call that started it", {}, async (id) => {
    const events = await lab.turn(id, "[[task {{say from the child}}]][[say done]]");
    const items = itemsOf(events, "message");
    const [task] = itemsOf(events, "tool_call");
    expect(
      items.find(({ role, content }) => role === "assistant" && JSON.stringify(content).includes("from the child"))
        ?.parent_id,
    ).toBe(task?.item_id);
    expect(items.at(-1)).toMatchObject({ parent_id: null, content: [{ text: "done" }] });
  });

  conversation(
    "an MCP server that does not start is reported, and the turn continues",
    { mcp: { broken: { type: "local", command: "/nonexistent/program" } } },
    async (id) => {
      const events = await lab.turn(id, "[[say anyway]]");
      expect(JSON.stringify(itemsOf(events, "status"))).toContain("broken");
      expect(texts(events)).toEqual(["anyway"]);
    },
  );

  conversation(
    "keys are neither in the environment of commands nor in events",
    { permissionMode: "bypass" },
    async (id) => {
      const events = await lab.turn(id, `[[sh env; printf '%s-%s\\n' test-key of-the-lab]][[say ${testKey}]]`);
      expect(JSON.stringify(events)).not.toContain("OPENCODE_CONFIG_CONTENT");
      expect(JSON.stringify(events)).not.toContain("OPENCODE_SERVER_PASSWORD");
      const fromAgent = events.filter(({ source }) => source === "agent");
      expect(JSON.stringify(fromAgent)).not.toContain(testKey);
    },
  );
});

describe("abort", () => {
  const streaming = ({ type }: { type: string }) => type === "item.delta";

  conversation("while it streams: the turn ends, its texts stay, the next turn works", {}, async (id) => {
    await lab.send(id, "[[slow 500 50]]");
    await lab.seen(id, streaming);
    await lab.abort(id);
    const events = await lab.client.events(id);
    expect(endOf(events)).toBe("aborted");
    expect(texts(events)[0]).toContain("word1");
    expect(texts(await lab.turn(id, "[[say again]]"))).toEqual(["again"]);
  });

  conversation("in a tool: the command is killed", { permissionMode: "bypass" }, async (id) => {
    await lab.send(id, "[[sh echo begun; sleep 600]]");
    await lab.seen(id, streaming);
    await lab.abort(id);
    const events = await lab.client.events(id);
    expect(endOf(events)).toBe("aborted");
    expect(outputs(events)[0]).toContain("begun");
  });

  conversation("while it waits for a permission: the request is resolved", {}, async (id) => {
    await lab.send(id, "[[sh echo never]]");
    await lab.pending(id);
    await lab.abort(id);
    const events = await lab.client.events(id);
    expect(endOf(events)).toBe("aborted");
    expect(events.filter(({ type }) => type === "permission.resolved")).toHaveLength(1);
    expect(texts(await lab.turn(id, "[[say again]]"))).toEqual(["again"]);
  });

  conversation("while it waits for an answer: the question is resolved", {}, async (id) => {
    await lab.send(id, "[[ask Well? | Yes | No]]");
    await lab.pending(id);
    await lab.abort(id);
    expect(endOf(await lab.client.events(id))).toBe("aborted");
  });

  conversation("at once after the message", {}, async (id) => {
    await lab.send(id, "[[slow 200 50]]");
    await lab.abort(id);
    expect(endOf(await lab.client.events(id))).toBe("aborted");
    expect(texts(await lab.turn(id, "[[say again]]"))).toEqual(["again"]);
  });
});

describe("failures of the provider", () => {
  conversation("a refused key is an error at once", { credentials: { anthropic: "bad-key-for-tests" } }, async (id) => {
    const events = await lab.turn(id, "[[say never]]");
    expect(errorsOf(events)).toEqual(["auth_invalid"]);
    expect(endOf(events)).toBe("failed");
  });

  conversation(
    "an expired key is distinguished from a wrong one",
    { credentials: { anthropic: "expired-key-for-tests" } },
    async (id) => {
      expect(errorsOf(await lab.turn(id, "[[say never]]"))).toEqual(["auth_expired"]);
    },
  );

  conversation("a provider without a key is an error at once", { model: "openai/gpt-5" }, async (id) => {
    const events = await lab.turn(id, "[[say never]]");
    expect(errorsOf(events)).toEqual(["auth_required"]);
    expect(endOf(events)).toBe("failed");
  });

  conversation("an unknown model is an error", { model: "anthropic/no-such-model" }, async (id) => {
    expect(errorsOf(await lab.turn(id, "[[say never]]"))).toEqual(["model_not_found"]);
  });

  conversation("a request it does not accept is an error", {}, async (id) => {
    const events = await lab.turn(id, "[[error 400]]");
    expect(errorsOf(events)).toEqual(["invalid_request"]);
    expect(texts(await lab.turn(id, "[[say still here]]"))).toEqual(["still here"]);
  });

  conversation("an error of the server is retried, with a notice", {}, async (id) => {
    const events = await lab.turn(id, "[[error 500 once]][[say recovered]]");
    expect(itemsOf(events, "status")).toMatchObject([
      { content: [{ type: "status", label: "Retrying" }, { type: "json" }] },
    ]);
    expect(texts(events)).toEqual(["recovered"]);
  });

  conversation(
    "the session's own key and endpoint are used",
    { model: "openai/gpt-5", credentials: { openai: "own-key-of-the-session" } },
    async (id) => {
      expect(texts(await lab.turn(id, "[[say from openai]]"))).toEqual(["from openai"]);
      const request = lab.model.requests.filter(({ path }) => path === "/v1/responses").at(-1);
      expect(request?.headers.authorization).toBe("Bearer own-key-of-the-session");
    },
  );
});
