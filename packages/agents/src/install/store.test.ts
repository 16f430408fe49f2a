import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../../test/temporary.ts";
import { type AgentStore, agentStore } from "./store.ts";

function install(store: AgentStore, version: string, content: string): void {
  const staged = store.stage(version);
  writeFileSync(join(staged, "program"), content);
  store.publish(staged, version);
}

function content(store: AgentStore, version: string): string {
  return readFileSync(join(store.folderOf(version), "program"), "utf8");
}

function hidden(store: AgentStore): string[] {
  return readdirSync(store.home).filter((name) => name.startsWith("."));
}

describe("the directory of an agent", () => {
  test("keeps versions side by side", () => {
    const store = agentStore(temporaryFolder(), "claude");
    install(store, "1.0.0", "one");
    install(store, "2.0.0", "two");
    expect([content(store, "1.0.0"), content(store, "2.0.0")]).toEqual(["one", "two"]);
  });

  test("hides a version that is only staged", () => {
    const store = agentStore(temporaryFolder(), "claude");
    writeFileSync(join(store.stage("1.0.0"), "program"), "half");
    expect(existsSync(store.folderOf("1.0.0"))).toBe(false);
  });

  test("replaces a version, and sweeps what was replaced or left behind", () => {
    const store = agentStore(temporaryFolder(), "claude");
    install(store, "1.0.0", "old");
    install(store, "2.0.0", "two");
    install(store, "1.0.0", "new");
    const left = store.stage("3.0.0");
    symlinkSync(left, join(store.home, ".3.0.0-link"));
    writeFileSync(join(store.home, ".current-left"), "3.0.0");
    store.sweep();
    expect([content(store, "1.0.0"), content(store, "2.0.0")]).toEqual(["new", "two"]);
    expect(hidden(store)).toHaveLength(2);
  });

  test("replaces a version that is a folder itself, as after a copy", () => {
    const store = agentStore(temporaryFolder(), "claude");
    mkdirSync(store.folderOf("1.0.0"), { recursive: true });
    writeFileSync(join(store.folderOf("1.0.0"), "program"), "copied");
    install(store, "1.0.0", "new");
    store.sweep();
    expect(content(store, "1.0.0")).toBe("new");
    expect(hidden(store)).toHaveLength(1);
  });

  test("stores the current version", () => {
    const store = agentStore(temporaryFolder(), "claude");
    expect(store.current()).toBeNull();
    install(store, "1.0.0", "one");
    store.setCurrent("1.0.0");
    expect(store.current()).toBe("1.0.0");
  });
});
