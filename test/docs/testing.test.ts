/** docs/testing.md: its sample is a test of ours, and its list of commands is the mock's own. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startTestClient } from "../harness/daemon.ts";
import { code, page, rows, section } from "./page.ts";

const text = page("testing.md");

test("the sample is app-with-mock.test.ts, which passes", () => {
  const [, sample] = /```ts\n([\s\S]*?)```/.exec(text) ?? [];
  expect(sample).toBe(readFileSync(join(import.meta.dirname, "app-with-mock.test.ts"), "utf8"));
});

test("the commands are those that the mock lists", async () => {
  const client = await startTestClient();
  await client.create("a");
  await client.stream("a", "help");
  const { items } = (await client.get("/v1/sessions/a/transcript")).json;
  const help: string = items.at(-1).content[0].text;
  const listed = [...help.matchAll(/^- (`[^:]+`):/gm)].map(([, names]) => code(names));
  const commands = rows(section(text, "Commands")).map(([names]) => code(names));
  expect(commands.slice(0, listed.length)).toEqual(listed);
  expect(listed.length).toBeGreaterThan(20);
});
