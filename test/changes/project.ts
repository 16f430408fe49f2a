/** A session of the agent with hands in a directory of its own, and ways to look at what it changed. */
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { DaemonOptions } from "@sandbox-agent/daemon";
import type { Checkpoint, DiffResponse, FileChange, FileChangedData } from "@sandbox-agent/schema";
import { expect } from "vitest";
import type { TestClient } from "../harness/client.ts";
import { startTestClient, temporaryDirectory } from "../harness/daemon.ts";
import { agentWithHands } from "./hands.ts";

export interface Project {
  client: TestClient;
  directory: string;
  /** Runs a command in a turn and waits for its end. */
  turn(message: string): Promise<void>;
  checkpoints(): Promise<Checkpoint[]>;
  diff(query?: string): Promise<DiffResponse>;
  /** What was told of so far, once everything has been. */
  told(): Promise<FileChangedData[]>;
}

export async function startProject(
  files: Record<string, string> = {},
  options: Partial<DaemonOptions> = {},
): Promise<Project> {
  const directory = temporaryDirectory();
  for (const [path, content] of Object.entries(files)) put(directory, path, content);
  const client = await startTestClient(options, agentWithHands());
  const created = await client.create("p", { directory });
  expect(created.status, created.text).toBe(200);
  return projectOf(client, directory);
}

export function projectOf(client: TestClient, directory: string): Project {
  const checkpoints = async () => (await client.get("/v1/sessions/p/checkpoints")).json.checkpoints;
  return {
    client,
    directory,
    checkpoints,
    async turn(message) {
      await client.send("p", message);
      await client.wait("p", "idle,ended");
    },
    async diff(query = "") {
      const answer = await client.get(`/v1/sessions/p/diff${query}`);
      expect(answer.status, answer.text).toBe(200);
      return answer.json;
    },
    async told() {
      // A diff comes after everything that ended turns still have to do.
      await client.get("/v1/sessions/p/diff");
      return (await client.events("p")).flatMap((event) => (event.type === "file.changed" ? [event.data] : []));
    },
  };
}

export function put(directory: string, path: string, content: string): void {
  mkdirSync(dirname(join(directory, path)), { recursive: true });
  writeFileSync(join(directory, path), content);
}

export function changesOf(told: FileChangedData[]): FileChange[] {
  return told.flatMap(({ changes }) => changes).toSorted((a, b) => a.path.localeCompare(b.path));
}

export function git(directory: string, ...args: string[]): string {
  const author = ["-c", "user.name=test", "-c", "user.email=test@example.com"];
  return execFileSync("git", [...author, ...args], { cwd: directory, encoding: "utf8" });
}
