/** A Codex process that misbehaves: whatever it does, sessions get a clear answer and never hang. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { closedForGood } from "./closed-for-good.ts";
import { endOf, errorsOf, startLab, texts } from "./codex-lab.ts";

describe("a session", () => closedForGood(startLab));

async function refusal(script: string) {
  const lab = await startLab({ script });
  const body = { agent: "codex", model: "gpt-5.5", agentMode: "build", directory: lab.directory };
  return lab.client.create("s", body);
}

test("one that exits at once is a problem with its stderr", async () => {
  const answer = await refusal("echo the disk is full >&2; exit 7");
  expect(answer.status).toBe(500);
  expect(answer.json.detail).toContain("the disk is full");
  expect(answer.json).toMatchObject({ agent: "codex", details: { exitCode: 7 } });
});

test("one that closes its output but keeps running is killed", async () => {
  const answer = await refusal("exec 1>&-; exec sleep 1000");
  expect(answer.status).toBe(500);
  expect(answer.json.detail).toContain("did not start");
});

test("a session that it rejects is a problem with its message", async () => {
  const lab = await startLab({ key: null, env: { OPENAI_BASE_URL: undefined } });
  await lab.create("s");
  writeFileSync(join(lab.home, ".codex/config.toml"), "model = [broken");
  const answer = await lab.client.create("another", { agent: "codex", directory: lab.directory });
  expect(answer.status).toBe(502);
  expect(answer.json).toMatchObject({ agent: "codex", detail: expect.stringContaining("config.toml:1") });
});

test("a transient error right after the login is retried", async () => {
  const lab = await startLab({
    script: `("$@" | while IFS= read -r line; do
      case $line in '{"id":'*'"result":{"thread":'*)
        if [ -z "$refused" ]; then
          refused=1
          id=\${line#'{"id":'}
          line='{"id":'\${id%%,*}',"error":{"code":-32600,"message":"failed to load configuration: application network permission was revoked"}}'
        fi
      esac
      printf '%s\\n' "$line"
    done)`,
  });
  await lab.create("s");
  expect(texts(await lab.turn("s", "[[say fine]]"))).toEqual(["fine"]);
});

test("invalid and very long lines are tolerated", async () => {
  const lab = await startLab({
    script: `echo this is no message; head -c 10000000 /dev/zero | tr '\\0' x; echo; exec "$@"`,
  });
  await lab.create("s");
  const events = await lab.turn("s", "[[say fine]]");
  expect(texts(events)).toEqual(["fine"]);
  expect(lab.logged.filter((line) => line.includes("no message")).length).toBeGreaterThan(0);
});

test("invalid lines in a turn become agent.unparsed", async () => {
  const lab = await startLab({
    script: `("$@" | while IFS= read -r line; do
    case $line in *item/agentMessage/delta*) echo '{broken';; esac
    printf '%s\\n' "$line"
  done)`,
  });
  await lab.create("s");
  const events = await lab.turn("s", "[[say fine]]");
  expect(events.some(({ type }) => type === "agent.unparsed")).toBe(true);
  expect(texts(events)).toEqual(["fine"]);
  expect(endOf(events)?.reason).toBe("completed");
  expect(errorsOf(events)).toEqual([]);
});
