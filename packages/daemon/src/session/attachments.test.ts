import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { forgetAttachments, type IncomingFile, keepAttachment } from "./attachments.ts";

async function place() {
  const attachmentsDir = await mkdtemp(join(tmpdir(), "attachments-"));
  onTestFinished(() => rm(attachmentsDir, { recursive: true, force: true }));
  return { attachmentsDir };
}

const file = (change: Partial<IncomingFile> = {}): IncomingFile => ({
  bytes: new TextEncoder().encode("content"),
  name: "a.txt",
  mime: null,
  ...change,
});

test("the same file in a session has the same path, other content has another", async () => {
  const context = await place();
  const path = await keepAttachment(context, 7, file());
  expect(await keepAttachment(context, 7, file())).toBe(path);
  expect(await readFile(path, "utf8")).toBe("content");
  expect(await keepAttachment(context, 7, file({ bytes: new Uint8Array([1]) }))).not.toBe(path);
  expect(dirname(path)).toBe(join(context.attachmentsDir, "7"));
});

test.each([
  [{ name: "../../etc/pass wd" }, ".._.._etc_pass_wd"],
  [{ name: null, mime: "image/png" }, "attachment.png"],
  [{ name: "", mime: "text/plain; charset=utf-8" }, "attachment.plain"],
  [{ name: null, mime: "strange" }, "attachment.bin"],
  [{ name: null, mime: null }, "attachment.bin"],
  [{ name: `${"x".repeat(300)}.png` }, `${"x".repeat(146)}.png`],
])("%j is stored under a name that is safe and keeps its ending", async (change, expected) => {
  const path = await keepAttachment(await place(), 1, file(change));
  expect(basename(path)).toMatch(/^[0-9a-f]{64}-/);
  expect(basename(path).slice(65)).toBe(expected);
});

test("the attachments of a deleted session are removed, those of others stay", async () => {
  const context = await place();
  for (const number of [1, 2]) await keepAttachment(context, number, file());
  await forgetAttachments(context, 1);
  await forgetAttachments(context, 3);
  expect(await readdir(context.attachmentsDir)).toEqual(["2"]);
});
