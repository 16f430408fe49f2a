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
    .option("--max-concurrent-processes <n>", "how many may run at once", positive)
    .option("--max-exited-processes <n>", "how many ended ones are remembered", positive)
    .option("--default-run-timeout-ms <n>", "time of a run that asks for none", positive)
    .option("--max-run-timeout-ms <n>", "most time of a run", positive)
    .option("--max-output-bytes <n>", "most output of each stream of a run", positive)
    .option("--max-log-bytes-per-process <n>", "log on disk of a new process", positive)
    .option("--max-input-bytes-per-request <n>", "most input at once", positive);
}
