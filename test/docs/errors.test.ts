/** docs/errors.md against the problem kinds and error codes in the code. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { problemKinds } from "@sandbox-agent/schema";
import { expect, test } from "vitest";
import { code, page, root, rows, section } from "./page.ts";

const text = page("errors.md");

test("every problem kind is described, with its status and in the same order", () => {
  const described = rows(section(text, "Problems")).map(([kind, status]) => [...code(kind), Number(status)]);
  expect(described).toEqual(Object.entries(problemKinds).map(([kind, { status }]) => [kind, status]));
});

test("every code of an error event is described", () => {
  const described = new Set(rows(section(text, "Codes of `error` events")).flatMap(([name]) => code(name)));
  const missing = codesInSources().filter((name) => !described.has(name) && !(name in problemKinds));
  expect(missing).toEqual([]);
});

test("every described code occurs in the sources", () => {
  const sources = [...errorSources(), ...files("packages/daemon/src/session/*.ts")].map(read).join("\n");
  const described = rows(section(text, "Codes of `error` events")).flatMap(([name]) => code(name));
  expect(described.filter((name) => !sources.includes(`"${name}"`))).toEqual([]);
});

/** Codes are written as `code: "x"`, as the last argument of `recordError`, and as results in the translators' errors.ts. */
function codesInSources(): string[] {
  const named = errorSources().flatMap((file) => matches(file, /\bcode: "(\w+)"/g));
  const recorded = files("packages/daemon/src/session/*.ts").flatMap((file) =>
    matches(file, /recordError\([^)]*, "(\w+)"\)/g),
  );
  const returned = errorSources()
    .filter((file) => file.endsWith("/errors.ts"))
    .flatMap((file) => [...matches(file, /(?:return|[?:]) "([a-z_]+)"/g), ...matches(file, /\/i, "(\w+)"\]/g)]);
  return [...new Set([...named, ...recorded, ...returned])].sort();
}

function errorSources(): string[] {
  return files("packages/agents/src/{acp,amp,claude,codex,cursor,mock,opencode,pi,process}/**/*.ts").concat(
    files("packages/daemon/src/session/normalize.ts"),
  );
}

function files(pattern: string): string[] {
  return [...new Bun.Glob(pattern).scanSync(root)].filter((file) => !/\.test\.ts$|generated/.test(file)).sort();
}

function read(file: string): string {
  return readFileSync(join(root, file), "utf8");
}

function matches(file: string, pattern: RegExp): string[] {
  return [...read(file).matchAll(pattern)].map(([, name]) => name ?? "");
}
