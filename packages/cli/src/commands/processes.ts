/** `api processes …`: start, watch and stop processes. Logs, input and limits are in other files. */
import { ProcessList, SignalName } from "@sandbox-agent/schema";
import { type Command, InvalidArgumentError } from "commander";
import { addOperation } from "../operation-command.ts";
import { path, repeated, repeatedPair, wholeNumber } from "../option-values.ts";
import type { Table } from "../table.ts";
import { addProcessIo } from "./process-io.ts";
import { addProcessConfig } from "./process-limits.ts";

interface ListOptions {
  owner?: string;
  tag?: string[];
}

interface StartOptions {
  cwd?: string;
  env?: Record<string, string>;
}

interface CreateOptions extends StartOptions {
  tty?: true;
  interactive?: true;
  cols?: number;
  rows?: number;
  tag?: string[];
}

interface RunOptions extends StartOptions {
  timeoutMs?: number;
  maxOutputBytes?: number;
}

interface WaitOptions {
  waitMs?: number;
}

export function addProcesses(parent: Command, description: string): void {
  const processes = parent.command("processes").description(description);
  addOperation(processes, {
    operation: "listProcesses",
    usage: "list",
    request: ({ owner, tag }: ListOptions) => ({ params: {}, query: { owner, tag: tag?.join(",") } }),
    table: processTable,
  })
    .option("--owner <owner>", "user, desktop or system")
    .option("--tag <tag>", "only processes with this tag; may be repeated", repeated);
  addStarting(processes);
  addOperation(processes, {
    operation: "getProcess",
    usage: "get <process-id>",
    request: (process_id: string) => ({ params: { process_id } }),
  });
  addEnding(processes);
  addProcessIo(processes);
  addProcessConfig(processes);
}

function addStarting(processes: Command): void {
  const create = addOperation(processes, {
    operation: "createProcess",
    usage: "create <command> [args...]",
    request: (command: string, args: string[], { tag, ...options }: CreateOptions) => ({
      params: {},
      body: { command, args, ...options, tags: tag },
    }),
  });
  addStartOptions(create)
    .option("--tty", "run in a terminal")
    .option("-i, --interactive", "keep standard input open")
    .option("--cols <n>", "terminal columns (default: 80)", wholeNumber(1, 1000))
    .option("--rows <n>", "terminal rows (default: 24)", wholeNumber(1, 1000))
    .option("--tag <tag>", "tag for filtering; may be repeated", repeated);
  const run = addOperation(processes, {
    operation: "runProcess",
    usage: "run <command> [args...]",
    request: (command: string, args: string[], options: RunOptions) => ({
      params: {},
      body: { command, args, ...options },
    }),
  });
  addRunOptions(run).option("--max-output-bytes <n>", "maximum output per stream", wholeNumber(1));
  const stream = addOperation(processes, {
    operation: "runProcessStream",
    usage: "run-stream <command> [args...]",
    request: (command: string, args: string[], options: Omit<RunOptions, "maxOutputBytes">) => ({
      params: {},
      body: { command, args, ...options },
    }),
  });
  addRunOptions(stream);
}

function addRunOptions(command: Command): Command {
  return addStartOptions(command).option("--timeout-ms <n>", "kill it after this time", wholeNumber(1));
}

function addStartOptions(command: Command): Command {
  return command
    .option("-C, --cwd <directory>", "working directory", path)
    .option("--env <name=value>", "environment variable; may be repeated", repeatedPair)
    .passThroughOptions();
}

function addEnding(processes: Command): void {
  const stop = addOperation(processes, {
    operation: "stopProcess",
    usage: "stop <process-id>",
    request: (process_id: string, { waitMs }: WaitOptions) => ({ params: { process_id }, query: { wait_ms: waitMs } }),
  });
  const kill = addOperation(processes, {
    operation: "killProcess",
    usage: "kill <process-id>",
    request: (process_id: string, { waitMs }: WaitOptions) => ({ params: { process_id }, query: { wait_ms: waitMs } }),
  });
  for (const command of [stop, kill])
    command.option("--wait-ms <n>", "wait up to this time until it has exited", wholeNumber(0, 60_000));
  addOperation(processes, {
    operation: "signalProcess",
    usage: "signal <process-id> <signal>",
    request: (process_id: string, name: SignalName) => ({ params: { process_id }, body: { signal: name } }),
  }).registeredArguments[1]?.argParser(signal);
  addOperation(processes, {
    operation: "deleteProcess",
    usage: "delete <process-id>",
    request: (process_id: string) => ({ params: { process_id } }),
  });
}

function signal(text: string): SignalName {
  const parsed = SignalName().safeParse(text);
  if (parsed.success) return parsed.data;
  throw new InvalidArgumentError(`A signal must be one of ${SignalName().options.join(", ")}.`);
}

function processTable(value: unknown): Table {
  const { processes } = ProcessList().parse(value);
  return {
    columns: ["PROCESS", "STATUS", "PID", "TTY", "STARTED", "TAGS", "COMMAND"],
    rows: processes.map((process) => [
      process.id,
      process.status === "running" ? "running" : `exited ${process.exitCode ?? process.signal ?? ""}`.trim(),
      String(process.pid ?? "-"),
      process.tty ? "yes" : "no",
      new Date(process.createdAtMs).toLocaleString("sv-SE"),
      process.tags.join(","),
      [process.command, ...process.args].join(" "),
    ]),
    empty: "No processes. Start one with `sandbox-agent processes create <command>`.",
  };
}
