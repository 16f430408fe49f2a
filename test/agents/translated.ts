/**
 * Every recording of an agent, translated, is what `test/fixtures/translated/<agent>.txt` has for it. A change of a translator
 * that is meant to change events is followed by a run of these tests with UPDATE_TRANSLATED=1, and by reading the difference.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { UniversalEvent } from "@sandbox-agent/schema";
import { afterAll, describe, expect, test } from "vitest";
import { translationOutline } from "./translation-outline.ts";

const fixtures = join(import.meta.dirname, "../fixtures");
const isUpdate = process.env.UPDATE_TRANSLATED === "1";

/** `replay` gives the events of each session of a recording. */
export function describeTranslations(agent: string, replay: (name: string) => (readonly UniversalEvent[])[]): void {
  const path = join(fixtures, "translated", `${agent}.txt`);
  const names = readdirSync(join(fixtures, agent)).filter((name) => name.endsWith(".jsonl"));
  const expected = isUpdate ? new Map<string, string[]>() : readTranslated(path);

  describe("the events of", () => {
    test.each(names.sort())("%s", (name) => {
      const lines = replay(name).flatMap((events) => translationOutline(events));
      if (isUpdate) expected.set(name, lines);
      expect(lines).toEqual(expected.get(name) ?? []);
    });
  });

  afterAll(() => {
    if (!isUpdate) return;
    mkdirSync(join(fixtures, "translated"), { recursive: true });
    const parts = [...expected].map(([name, lines]) => [`# ${name}`, ...lines].join("\n"));
    writeFileSync(path, `${parts.join("\n\n")}\n`);
  });
}

function readTranslated(path: string): Map<string, string[]> {
  const parts = readFileSync(path, "utf8")
    .trimEnd()
    .split(/\n\n(?=# )/);
  return new Map(parts.map((part) => part.split("\n")).map(([name = "", ...lines]) => [name.slice(2), lines]));
}
