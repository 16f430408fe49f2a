/** An agent under test: its setup, its phrases, and its missing features. */
import type { AgentDefinition, PermissionMode } from "@sandbox-agent/schema";
import { escalated } from "../model/escalated.ts";

/** Messages that make an agent do something. */
export interface Phrases {
  say(text: string): string;
  think(text: string): string;
  slow(count: number, milliseconds: number): string;
  /** Runs a command in a mode without permissions. */
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
  /** Reports the number of images. */
  countImages: string;
  /** Repeats the first message of the conversation. */
  recall: string;
  fail(status: number): string;
  drop: string;
  hang: string;
}

export interface Subject {
  id: string;
  phrases: Phrases;
  /** Unsupported scenarios, with the reason. */
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
  /** The agent whose program it runs, if it has none of its own. */
  program?: string;
  /** Writes a program to the directory and returns its path, if the agent's own program cannot be used. */
  standIn?(directory: string): string;
  /** Runs only when it is named: it installs much or takes long, and another agent covers the same. */
  onRequest?: boolean;
}

/** The phrases of real agents: markers that the scripted model executes. */
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

/** The phrases of Codex. */
export const scriptedCodex: Phrases = {
  ...scripted,
  command: (command) => `${escalated(command)} [[say done]]`,
};
