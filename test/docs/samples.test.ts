/**
 * Samples of the documentation. A comment above a sample, which readers do not see, says what a test cannot know:
 * `<!-- not run: reason -->`, or `<!-- given: declarations -->` for a part of a program.
 */
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createProgram } from "../../packages/cli/src/program.ts";
import { temporaryDirectory } from "../harness/daemon.ts";
import { need } from "../harness/programs.ts";
import { isRunnable, mistakesIn } from "./commands.ts";
import { isGenerated, pages, type Sample, samplesOf, workspace } from "./markdown.ts";
import { openStage } from "./sample-stage.ts";

const written = pages().filter((page) => !isGenerated(page));
const samples = written.flatMap(samplesOf);
const inShell = samples.filter(({ language }) => language === "sh" || language === "bash");
const inTypeScript = samples.filter(({ language }) => language === "ts");

test("commands in samples exist, with their options", async () => {
  const program = await createProgram();
  expect(
    inShell.flatMap(({ place, text }) => mistakesIn(text, program).map((mistake) => `${place} ${mistake}`)),
  ).toEqual([]);
});

test("JSON in samples is JSON", () => {
  const inJson = samples.filter(({ language }) => language === "json");
  for (const { place, text } of inJson) expect(() => JSON.parse(text), place).not.toThrow();
});

test("TypeScript in samples compiles", async () => {
  const directory = temporaryDirectory();
  symlinkSync(join(workspace, "node_modules"), join(directory, "node_modules"));
  mkdirSync(join(directory, "src"));
  for (const [index, sample] of inTypeScript.entries()) {
    writeFileSync(join(directory, "src", `${index}.ts`), `${preludeOf(sample)}\n${sample.text}\nexport {};\n`);
  }
  const compilerOptions = { lib: ["ESNext", "DOM"], noUnusedLocals: false };
  const config = { extends: join(workspace, "tsconfig.json"), compilerOptions, include: ["src"], exclude: [] };
  writeFileSync(join(directory, "tsconfig.json"), JSON.stringify(config));
  const tsc = Bun.spawn(
    [process.execPath, join(workspace, "node_modules/.bin/tsc"), "-p", directory, "--pretty", "false"],
    {
      stdout: "pipe",
      stderr: "pipe",
    },
  );
  const output = await new Response(tsc.stdout).text();
  const named = output.replaceAll(/^.*src\/(\d+)\.ts/gm, (_, index) => inTypeScript[Number(index)]?.place ?? "");
  expect(named).toBe("");
});

describe("the samples run", () => {
  const runs = written.filter((page) => samplesOf(page).some(isRun));

  test.for(runs)("of %s", async (page, context) => {
    need(context, "bash", "curl");
    const stage = await openStage();
    for (const sample of samplesOf(page).filter(isRun)) {
      const { exitCode, output } =
        sample.language === "ts" ? await stage.runTypeScript(sample.text) : await stage.runShell(sample.text);
      expect(exitCode, `${sample.place}\n${output}`).toBe(0);
    }
  });
});

test("the first message of the README is answered", async (context) => {
  need(context, "bash", "curl");
  const sample = samplesOf("README.md").find(({ text }) => text.includes("curl "));
  const { output } = await (await openStage()).runShell(sample?.text ?? "");
  expect(output).toContain('"healthy":true');
  expect(output).toContain('"type":"turn.ended"');
});

function isRun({ language, text, note }: Sample): boolean {
  if (note.startsWith("not run:")) return false;
  if (language === "ts") return text.includes("import ");
  return (language === "sh" || language === "bash") && isRunnable(text);
}

/** A part of a program has a client and a session, and what the comment above it gives. */
function preludeOf({ text, note }: Sample): string {
  const given = note.startsWith("given:") ? note.slice("given:".length) : "";
  if (text.includes("import ")) return given;
  const usual = { client: "SandboxAgent", session: "Session" };
  const missing = Object.entries(usual).filter(([name]) => !new RegExp(`(const|let) ${name}\\b`).test(text + given));
  return [
    'import { SandboxAgent, SandboxAgentError, type Session } from "sandbox-agent";',
    ...missing.map(([name, type]) => `declare const ${name}: ${type};`),
    given,
  ].join("\n");
}
