/** `api processes config | set-config`: limits for processes. */
import type { Command } from "commander";
import { addOperation } from "../operation-command.ts";
import { wholeNumber } from "../option-values.ts";

interface Limits {
  maxConcurrentProcesses?: number;
  maxExitedProcesses?: number;
  defaultRunTimeoutMs?: number;
  maxRunTimeoutMs?: number;
  maxOutputBytes?: number;
  maxLogBytesPerProcess?: number;
  maxInputBytesPerRequest?: number;
}

export function addProcessConfig(processes: Command): void {
  addOperation(processes, { operation: "getProcessConfig", usage: "config", request: () => ({ params: {} }) });
  const positive = wholeNumber(1);
  addOperation(processes, {
    operation: "setProcessConfig",
    usage: "set-config",
    request: (body: Limits) => ({ params: {}, body }),
  })
    .option("--max-concurrent-processes <n>", "maximum number of running processes", positive)
    .option("--max-exited-processes <n>", "maximum number of exited processes to keep", positive)
    .option("--default-run-timeout-ms <n>", "default timeout of `run`", positive)
    .option("--max-run-timeout-ms <n>", "maximum timeout of `run`", positive)
    .option("--max-output-bytes <n>", "maximum output per stream of `run`", positive)
    .option("--max-log-bytes-per-process <n>", "maximum log size of a new process", positive)
    .option("--max-input-bytes-per-request <n>", "maximum input per request", positive);
}
