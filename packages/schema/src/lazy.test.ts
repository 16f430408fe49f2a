import { join } from "node:path";
import { describe, expect, test } from "vitest";

/** What a program prints that runs in a process of its own, where no schema has been used yet. */
function printed(program: string): unknown {
  const { stdout, stderr } = Bun.spawnSync([process.execPath, "-e", program], { cwd: import.meta.dirname });
  if (stderr.length > 0) throw new Error(stderr.toString());
  return JSON.parse(stdout.toString());
}

const index = JSON.stringify(join(import.meta.dirname, "index.ts"));
const built = "[...z.globalRegistry._idmap.keys()]";

describe("schemas", () => {
  test("are not built when they are imported", () => {
    const program = `
      import * as z from "zod";
      import ${index};
      console.log(JSON.stringify(${built}));`;
    expect(printed(program)).toEqual([]);
  });

  test("are built with those they are made of, and no others", () => {
    const program = `
      import * as z from "zod";
      import { SkillsConfig } from ${index};
      SkillsConfig();
      SkillsConfig();
      console.log(JSON.stringify(${built}));`;
    expect(printed(program)).toEqual(["SkillSource", "SkillsConfig"]);
  });

  test("are documented in one order, whichever was used first", () => {
    const program = (use: string) => `
      import { openApiDocument, WaitResponse } from ${index};
      ${use};
      console.log(JSON.stringify(Object.keys(openApiDocument({ version: "1" }).components.schemas)));`;
    expect(printed(program("WaitResponse()"))).toEqual(printed(program("")));
  });
});
