/** Real agents in a directory for which an MCP server is configured, once for all of them, and what they change there. */
import { fileURLToPath } from "node:url";
import type { FileChange } from "@sandbox-agent/schema";
import { describe, expect, onTestFinished, test } from "vitest";
import { completedItems, setStage } from "../conformance/stage.ts";
import { subjects } from "../conformance/subjects.ts";

const everythingServer = fileURLToPath(import.meta.resolve("@modelcontextprotocol/server-everything/dist/index.js"));
const server = { type: "local", command: [process.execPath, everythingServer, "stdio"] };
const timeoutMs = 180_000;

const real = subjects.filter(({ id }) => ["claude", "codex", "opencode"].includes(id));

describe.each(real.map((subject) => [subject.id, subject] as const))("%s", (_, subject) => {
  const { phrases } = subject;

  test(
    "gets the MCP server of its directory with the next turn, remembers, and is seen writing",
    async () => {
      const stage = await setStage(subject);
      onTestFinished(async () => void (await stage.stop()));
      const actor = await stage.create({ permissionMode: "bypass" });
      await actor.prompt(phrases.write("made.txt", "by the agent"));

      const query = new URLSearchParams({ directory: actor.directory, mcp_name: "everything" });
      const set = await stage.client.call("PUT", `/v1/config/mcp?${query}`, { body: server });
      expect(set.status, set.text).toBe(204);
      const events = await actor.prompt(phrases.mcp("everything", "echo", { message: "over mcp" }));
      const outputs = completedItems(events).flatMap(({ content }) =>
        content.flatMap((part) => (part.type === "tool_result" ? [part.output] : [])),
      );
      expect(outputs.join("\n")).toContain("over mcp");
      const body = stage.model.newestBody();
      expect(body, "the first turn is still in the conversation").toContain("made.txt");

      const diff = await stage.client.get(`/v1/sessions/${actor.id}/diff?turn=1`);
      expect(diff.json.files).toMatchObject([{ path: "made.txt", kind: "created" }]);
      const all = await actor.events();
      const calls = completedItems(all).flatMap(({ content }) =>
        content.flatMap((part) => (part.type === "tool_call" ? [part.call_id] : [])),
      );
      const told = all.flatMap((event): FileChange[] => (event.type === "file.changed" ? event.data.changes : []));
      const written = told.filter(({ path }) => path === "made.txt");
      // Claude writes `made.txt.tmp.…` and renames it a moment later; a look in that moment sees both.
      const appeared = { kind: expect.stringMatching(/^(created|renamed)$/) };
      expect(written[0], `told: ${JSON.stringify(told)}`).toMatchObject(appeared);
      for (const { call_id } of written) expect(calls).toContain(call_id);
    },
    timeoutMs,
  );
});
