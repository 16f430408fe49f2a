/** An agent under test: how it is set up, how it is asked for something, and what it lacks. */
import type { AgentDefinition, PermissionMode } from "@sandbox-agent/schema";
import { escalated } from "../model/escalated.ts";

/** Ways to make an agent do something, whatever its words for it are. */
export interface Phrases {
  say(text: string): string;
  think(text: string): string;
  slow(count: number, milliseconds: number): string;
  /** Runs a command where nothing needs a permission. */
  run(command: string): string;
  /** Runs a command that needs a permission in mode default. */
  command(command: string): string;
  write(path: string, content: string): string;
  ask(question: string, ...options: string[]): string;
  askSeveral(question: string, ...options: string[]): string;
  plan(text: string): string;
  todo(...items: string[]): string;
  subagent(task: string): string;
  mcp(server: string, tool: string, input: unknown): string;
  /** Tells how many images it was given. */
  countImages: string;
  /** Repeats the first thing it was told in this conversation. */
  recall: string;
  fail(status: number): string;
  drop: string;
  hang: string;
}

export interface Subject {
  id: string;
  phrases: Phrases;
  /** Scenarios it cannot take part in, and why. */
  lacks: Record<string, string>;
  /** A second model to switch to. */
  otherModel: string | null;
  /** The mode in which plans are made. */
  planMode: { agentMode?: string; permissionMode?: PermissionMode };
  /** What the session is created with, besides agent and directory. */
  session: Record<string, unknown>;
  /** Files in the user's home, by path. */
  home?(modelUrl: string): Record<string, string>;
  /** Variables of the daemon, besides keys and endpoints of Anthropic and OpenAI. */
  env?(modelUrl: string): Record<string, string>;
  /** An agent that is neither built in nor in the registry. */
  definition?: AgentDefinition;
  /** The agent whose program it runs, where it has none of its own. */
  program?: string;
  /** Puts a program into the directory and returns its path, where the agent's own cannot be used. */
  standIn?(directory: string): string;
  /** Plays only when it is named: it installs much or takes long, and another agent shows the same. */
  onRequest?: boolean;
}

/** How real agents are asked: markers that the scripted model follows. */
export const scripted: Phrases = {
  say: (text) => `[[say ${text}]]`,
  think: (text) => `[[think ${text}]] [[say thought]]`,
  slow: (count, milliseconds) => `[[slow ${count} ${milliseconds}]]`,
  run: (command) => `[[sh ${command}]] [[say done]]`,
  command: (command) => `[[sh ${command}]] [[say done]]`,
  write: (path, content) => `[[write ${path} ${content}]] [[say written]]`,
  ask: (question, ...options) => `[[ask ${[question, ...options].join(" | ")}]] [[say asked]]`,
  askSeveral: (question, ...options) => `[[askmulti ${[question, ...options].join(" | ")}]] [[say asked]]`,
  plan: (text) => `[[plan ${text}]] [[say planned]]`,
  todo: (...items) => `[[todo ${items.join("; ")}]] [[say noted]]`,
  subagent: (task) => `[[task {{say ${task}}}]] [[say delegated]]`,
  mcp: (server, tool, input) => `[[mcp ${server} ${tool} ${JSON.stringify(input)}]] [[say called]]`,
  countImages: "[[image]]",
  recall: "[[recall]]",
  fail: (status) => `[[error ${status}]]`,
  drop: "[[drop]] [[say recovered]]",
  hang: "[[hang]]",
};

/** How Codex is asked. */
export const scriptedCodex: Phrases = {
  ...scripted,
  command: (command) => `${escalated(command)} [[say done]]`,
};
