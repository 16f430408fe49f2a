/** `api processes input | logs | events-sse | resize | attach`: input and output of processes. */
import { LogStream } from "@sandbox-agent/schema";
import { type Command, InvalidArgumentError } from "commander";
import { addOperation, operationCommand } from "../operation-command.ts";
import { wholeNumber } from "../option-values.ts";
import { attachFrom } from "../terminal/attach.ts";

interface InputOptions {
  base64?: true;
  close?: true;
}

interface LogOptions {
  stream?: string;
  tail?: number;
  since?: number;
  follow?: true;
}

export function addProcessIo(processes: Command): void {
  addOperation(processes, {
    operation: "writeProcessInput",
    usage: "input <process-id> <data>",
    request: (process_id: string, data: string, { base64, close }: InputOptions) => ({
      params: { process_id },
      body: { data, encoding: base64 ? ("base64" as const) : ("utf8" as const), close },
    }),
  })
    .option("--base64", "the data is base64")
    .option("--close", "close the standard input afterwards");
  addOperation(processes, {
    operation: "getProcessLogs",
    usage: "logs <process-id>",
    request: (process_id: string, { stream, tail, since, follow }: LogOptions) => ({
      params: { process_id },
      query: { stream, tail, since, follow },
    }),
  })
    .option("--stream <name>", `one of ${LogStream().options.join(", ")}`, logStream)
    .option("--tail <n>", "only the last n entries", wholeNumber())
    .option("--since <n>", "only entries after this sequence", wholeNumber())
    .option("-f, --follow", "stream new entries until the process ends");
  addOperation(processes, {
    operation: "streamProcessEvents",
    usage: "events-sse",
    request: ({ lastEventId }: { lastEventId?: string }) => ({
      params: {},
      headers: { "Last-Event-ID": lastEventId },
    }),
  }).option("--last-event-id <id>", "continue after the frame with this id");
  const resize = addOperation(processes, {
    operation: "resizeProcessTerminal",
    usage: "resize <process-id> <cols> <rows>",
    request: (process_id: string, cols: number, rows: number) => ({ params: { process_id }, body: { cols, rows } }),
  });
  parseSize(resize);
  const attach = operationCommand(processes, "attachProcessTerminal", "attach <process-id>");
  attach.action((process_id: string) => attachFrom(attach, "attachProcessTerminal", { params: { process_id } }));
}

/** The last two arguments are columns and rows. */
export function parseSize(command: Command): void {
  for (const argument of command.registeredArguments.slice(-2)) argument.argParser(wholeNumber(1, 1000));
}

function logStream(text: string): string {
  if (LogStream().safeParse(text).success) return text;
  throw new InvalidArgumentError(`Allowed values are ${LogStream().options.join(", ")}.`);
}
