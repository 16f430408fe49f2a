/**
 * The flags and modes of an Amp program, read from its help text: versions differ in their flags, and Amp exits when it gets an
 * unknown flag. The result is cached until the file changes.
 */
import { statSync } from "node:fs";
import { tmpdir } from "node:os";
import { ProblemError } from "@sandbox-agent/schema";
import type { InstalledAgent } from "../install/installer.ts";
import { runProgram } from "../install/run-program.ts";
import type { Environment } from "../install/variables.ts";

export interface AmpProgram {
  flags: ReadonlySet<string>;
  /** The agent modes. Each is a combination of model, prompt and tools. */
  modes: string[];
  /** Whether a message that is sent during a turn interrupts it and gets an answer. In later versions Amp's server decides that. */
  canSteer: boolean;
}

const limitMs = 30_000;
const cache = new Map<string, Promise<AmpProgram>>();

export function readProgram(installed: InstalledAgent, environment: Environment): Promise<AmpProgram> {
  const { mtimeMs, size } = statSync(installed.path);
  const key = `${installed.path} ${mtimeMs} ${size}`;
  const program = cache.get(key) ?? readHelp(installed, environment);
  cache.set(key, program);
  program.catch(() => cache.delete(key));
  return program;
}

async function readHelp({ command, env, path }: InstalledAgent, environment: Environment): Promise<AmpProgram> {
  const { PATH, HOME = tmpdir(), LD_LIBRARY_PATH } = environment;
  const helpEnv = { PATH, HOME, LD_LIBRARY_PATH, ...env, AMP_SKIP_UPDATE_CHECK: "1", NO_COLOR: "1" };
  const run = await runProgram([...command, "--help"], { env: helpEnv, limitMs });
  const program = parseHelp(run.stdout);
  if (program.flags.has("--execute") && program.flags.has("--stream-json")) return program;
  throw new ProblemError(
    "agent_process_exited",
    `${path} does not support --execute and --stream-json, so it cannot be used (${run.failure ?? "its help lists other flags"}); install another version of Amp`,
    { agent: "amp", details: { stderr: run.stderr.slice(0, 2000) } },
  );
}

/** Options are indented by two columns, their descriptions by more. */
export function parseHelp(help: string): AmpProgram {
  const flags = new Set([...help.matchAll(/^ {2}(?:-\w+, )?(--[\w-]+)/gm)].map(([, flag = ""]) => flag));
  const list = /Set the agent mode \(([^)]*)\)/.exec(help.replace(/\s+/g, " "))?.[1] ?? "";
  // The list may end with a remark about plugins: "…, or a plugin mode by key".
  const [names = ""] = list.split(", or ");
  const modes = names.split(", ").filter((mode) => mode !== "");
  return { flags, modes, canSteer: flags.has("--stream-json-input") && !flags.has("--plugin-ready-timeout") };
}
