/** What goes wrong around Pi: credentials, providers, processes. Each has a clear end. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { closedForGood } from "./closed-for-good.ts";
import { installer } from "./lab.ts";
import { directoriesVanish, processesDie, programsAreWrong } from "./own-process.ts";
import { startLab } from "./pi-lab.ts";
import { endOf, errorsOf, itemsOf, texts } from "./reading.ts";

describe("credentials", () => {
  test.each([["anthropic/claude-sonnet-4-5"], [null]])(
    "that are missing are asked for at once (model %s)",
    async (model) => {
      const lab = await startLab({ env: { ANTHROPIC_API_KEY: "" } });
      await lab.create("s", { model });
      const events = await lab.prompt("s", "hello");
      expect(errorsOf(events)).toEqual(["auth_required"]);
      expect(endOf(events)).toBe("failed");
      expect(lab.modelCalls()).toEqual([]);
      await lab.check("s");
    },
  );

  test("that have expired have their own code", async () => {
    const lab = await startLab({ env: { ANTHROPIC_API_KEY: "", OPENAI_API_KEY: "expired-key" } });
    await lab.create("s", { model: "openai/gpt-5.1" });
    expect(errorsOf(await lab.prompt("s", "hello"))).toEqual(["auth_expired"]);
    expect(lab.modelCalls()).toHaveLength(1);
  });

  test("of a session win over those of the machine and of Pi, and no command of the model sees any", async () => {
    const lab = await startLab();
    const stored = { anthropic: { type: "api_key", key: "key-of-the-login" } };
    writeFileSync(join(lab.home, ".pi/agent/auth.json"), JSON.stringify(stored));
    await lab.create("s", { credentials: { anthropic: "key-of-the-$ession" }, permissionMode: "bypass" });
    const spy = 'env; tr \\"\\\\0\\" \\" \\" </proc/$PPID/cmdline; cat /proc/$PPID/environ /proc/$PPID/fd/3';
    const events = await lab.prompt("s", `[[tool bash {"command":"${spy}"}]] [[say done]]`);
    const keys = lab.model.requests.map(({ headers }) => headers["x-api-key"]).filter(Boolean);
    expect(new Set(keys)).toEqual(new Set(["key-of-the-$ession"]));
    expect(JSON.stringify(await lab.client.events("s", "?include_raw=true"))).not.toMatch(/key-of-the/);
    expect(JSON.stringify(itemsOf(events))).toContain("HOME=");
    await lab.check("s");
  });

  test("that Pi stores itself take precedence over those of the machine", async () => {
    const lab = await startLab();
    const stored = { anthropic: { type: "api_key", key: "key-of-the-login" } };
    writeFileSync(join(lab.home, ".pi/agent/auth.json"), JSON.stringify(stored));
    await lab.create("s");
    await lab.prompt("s", "[[say hello]]");
    expect(lab.model.requests.at(-1)?.headers["x-api-key"]).toBe("key-of-the-login");
  });

  test("and the endpoint may come with the session", async () => {
    const other = await startLab();
    const lab = await startLab();
    await lab.create("s", { endpoints: { anthropic: `${other.model.url}/v1` } });
    expect(texts(await lab.prompt("s", "[[say from there]]"))).toEqual(["from there"]);
    expect(lab.modelCalls()).toEqual([]);
    expect(other.modelCalls()).toHaveLength(1);
  });

  test("do not reach what the model starts, nor does what makes our executable a runtime", async () => {
    const lab = await startLab();
    await lab.create("s", { permissionMode: "bypass" });
    const events = await lab.prompt("s", "[[sh env]] [[say done]]");
    expect(JSON.stringify(itemsOf(events))).not.toMatch(/BUN_BE_BUN|API_KEY/);
  });
});

describe("a provider", () => {
  test.each([
    [529, "overloaded"],
    [429, "rate_limited"],
    [400, "invalid_request"],
    [403, "auth_invalid"],
  ])("that answers %i is reported as %s, and the session stays usable", async (status, code) => {
    const lab = await startLab();
    await lab.create("s");
    const events = await lab.prompt("s", `[[error ${status}]]`);
    expect(errorsOf(events)).toEqual([code]);
    expect(endOf(events)).toBe("failed");
    expect(texts(await lab.prompt("s", "[[say back]]"))).toEqual(["back"]);
    await lab.check("s");
  });

  test("that does not have the model is an error", async () => {
    const lab = await startLab();
    await lab.create("s", { model: "anthropic/no-such-model" });
    expect(errorsOf(await lab.prompt("s", "hello"))).toEqual(["model_not_found"]);
    await lab.check("s");
  });

  test("that cannot be reached is an error", async () => {
    const lab = await startLab();
    await lab.create("s", { endpoints: { anthropic: "http://127.0.0.1:9" } });
    expect(errorsOf(await lab.prompt("s", "hello"))).toEqual(["connection_failed"]);
    await lab.check("s");
  });
});

describe("a session", () => closedForGood(startLab));

describe("a process", () => {
  processesDie(startLab, "bash");
  directoriesVanish(startLab);
});

describe("a program that is not what it should be", () => {
  programsAreWrong(startLab, { begins: `echo '{"type":"agent_start"}'`, ends: `echo '{"type":"agent_settled"}'` });

  test("and is too old is rejected", async () => {
    const old = { agent: "pi", version: "0.74.2", path: "/usr/bin/pi", command: ["/usr/bin/pi"] };
    const lab = await startLab({ installer: { ...installer, require: async () => old } });
    const answer = await lab.client.create("s", { agent: "pi", directory: lab.directory });
    expect(answer.status).toBe(404);
    expect(answer.text).toMatch(/0\.80\.4 or newer/);
  });
});

test("a project cannot run code of its own in Pi", async () => {
  const lab = await startLab();
  mkdirSync(join(lab.directory, ".pi/extensions"), { recursive: true });
  const proof = join(lab.directory, "proof");
  const intruder = `import { writeFileSync } from "node:fs"; export default () => writeFileSync(${JSON.stringify(proof)}, "");`;
  writeFileSync(join(lab.directory, ".pi/extensions/intruder.js"), intruder);
  await lab.create("s");
  await lab.prompt("s", "[[say hello]]");
  expect(() => readFileSync(proof)).toThrow("ENOENT");
});
