/** A process that exchanges a directory for a link to the outside, over and over, while requests go through it. */
import { readdirSync, readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startTestClient, temporaryDirectory } from "../harness/daemon.ts";
import { fs, plant, tar, tarType } from "./lab.ts";

/** `flip` is the directory, or the link, or for a moment nothing, so that a request may put something there. */
const exchanger = `
  const { renameSync } = require("node:fs");
  process.chdir(process.argv[1]);
  let junk = 0;
  const step = (from, to) => {
    for (;;) try { return renameSync(from, to); } catch { renameSync(to, "junk" + junk++); }
  };
  console.log("ready");
  for (;;) {
    step("flip", "real");
    step("fake", "flip");
    step("flip", "fake");
    step("real", "flip");
  }`;

test("a directory that keeps turning into a link never leads out", async () => {
  const base = realpathSync(temporaryDirectory());
  const inside = join(base, "inside");
  plant(base, { "outside/file": "top secret", "outside/victim/x": "kept", "outside/outsider": "" });
  plant(inside, { "flip/file": "mine", fake: { to: join(base, "outside") } });
  const client = await startTestClient({ fsRoot: inside });
  const child = Bun.spawn([process.execPath, "-e", exchanger, inside], { stdout: "pipe", stderr: "inherit" });
  onTestFinished(() => child.kill());
  await child.stdout.getReader().read();

  const archive = await tar({ name: "file", body: "mine" }, { name: "new", body: "mine" });
  const attempts = [
    () => client.get(fs("file", { path: "flip/file" })),
    () => client.get(fs("entries", { path: "flip" })),
    () => client.get(fs("search", { path: "flip", query: "secret", in: "content" })),
    () => client.put(fs("file", { path: "flip/file" }), "mine"),
    () => client.put(fs("file", { path: "flip/new" }), "mine"),
    () => client.delete(fs("entry", { path: "flip/victim", recursive: true })),
    () => client.post(fs("upload-batch", { path: "flip" }), archive, tarType),
    () => client.post(fs("mkdir", { path: "flip/made" })),
  ];
  const statuses = new Set<number>();
  for (let round = 0; round < 60; round += 1) {
    for (const answer of await Promise.all(attempts.map((attempt) => attempt()))) {
      statuses.add(answer.status);
      expect(answer.text).not.toMatch(/top secret|outsider/);
    }
  }
  expect(child.exitCode).toBe(null);
  expect(readdirSync(join(base, "outside")).sort()).toEqual(["file", "outsider", "victim"]);
  expect(readFileSync(join(base, "outside/file"), "utf8")).toBe("top secret");
  expect(readdirSync(join(base, "outside/victim"))).toEqual(["x"]);
  expect([...statuses].filter((status) => ![200, 400, 403, 409].includes(status))).toEqual([]);
});
