/** The catalog of Claude Code, and a check that our protocol types match the pinned version. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { zodModule } from "../../packages/agents/schemas/claude/zod.ts";
import { committed, extract, modulePath } from "../../packages/agents/schemas/claude.ts";
import { manifest } from "../../packages/agents/src/install/manifest.ts";
import { temporaryDirectory } from "../harness/daemon.ts";
import { startLab } from "./claude-lab.ts";
import { installer } from "./lab.ts";
import { itemsOf, texts } from "./reading.ts";

describe("the agent", () => {
  test("is described with its version and its credentials", async () => {
    const lab = await startLab();
    const { json } = await lab.client.get("/v1/agents/claude");
    expect(json).toMatchObject({ installed: true, credentialsAvailable: true, version: expect.stringMatching(/^2\./) });
  });

  test("lists its own models and modes", async () => {
    const home = temporaryDirectory();
    mkdirSync(join(home, ".claude/agents"), { recursive: true });
    const agent = "---\nname: poet\ndescription: Answers in verse\n---\nYou are a poet. [[say a poem]]\n";
    writeFileSync(join(home, ".claude/agents/poet.md"), agent);
    const lab = await startLab({ home });
    const [models, again, modes] = await Promise.all([
      lab.client.get("/v1/agents/claude/models"),
      lab.client.get("/v1/agents/claude/models"),
      lab.client.get("/v1/agents/claude/modes"),
    ]);
    expect(again.json).toEqual(models.json);
    expect(models.json.defaultModel).toBe("default");
    expect(models.json.models).toContainEqual(
      expect.objectContaining({ id: "sonnet", variants: expect.arrayContaining(["low", "high"]) }),
    );
    expect(modes.json.modes.map(({ id }: { id: string }) => id)).toEqual(["build", "plan", "poet"]);

    await lab.create("s", { agentMode: "poet" });
    await lab.prompt("s", "[[say hello]]");
    expect(lab.model.newestBody()).toContain("You are a poet.");
    await lab.stop();
  });

  test("has models and modes even if it does not answer", async () => {
    const lab = await startLab({ installer: { ...installer, find: async () => null } });
    const { json } = await lab.client.get("/v1/agents/claude/models");
    expect(json.models.map(({ id }: { id: string }) => id)).toEqual(["default", "sonnet", "opus", "haiku"]);
    expect((await lab.client.get("/v1/agents/claude/modes")).json.modes).toHaveLength(2);
  });

  test("knows the skills of a session", async () => {
    const lab = await startLab();
    const skills = join(temporaryDirectory(), "greet");
    mkdirSync(skills);
    writeFileSync(
      join(skills, "SKILL.md"),
      "---\nname: greet\ndescription: Greets\n---\nGreet now. [[say greetings]]\n",
    );
    await lab.create("s", { skills: { sources: [{ type: "local", source: skills }] } });
    const events = await lab.prompt("s", '[[tool Skill {"skill":"greet"}]]');
    expect(JSON.stringify(itemsOf(events))).toContain("Launching skill: greet");
    expect(texts(events)).toEqual(["greetings"]);
    await lab.check("s");
  });
});

describe("the protocol's types", () => {
  test("are what the artifact says", async () => {
    const { definitions, version } = await committed();
    expect(readFileSync(modulePath, "utf8")).toBe(zodModule(definitions, version));
  });

  test("are those of the pinned version", async () => {
    const version = manifest.claude?.version ?? "";
    expect(await extract(version)).toEqual(JSON.parse(JSON.stringify(await committed())));
  });
});
