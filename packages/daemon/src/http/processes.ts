/** Processes as a resource. */
import type { ProcessInfo } from "@sandbox-agent/schema";
import type { Child } from "../processes/child.ts";
import { decodeInput } from "../processes/input.ts";
import { runToEnd } from "../processes/run.ts";
import type { HttpContext } from "./context.ts";
import { lastSequenceSeen } from "./log-cursor.ts";
import { keptEntries, logFrames } from "./process-logs.ts";
import type { Handlers } from "./router.ts";
import { runStream } from "./run-stream.ts";
import { viewTerminal } from "./terminal-viewer.ts";

const maxWaitMs = 60_000;

export function processHandlers({ processes, streams, secrets }: HttpContext) {
  const maxInputBytes = () => processes.config.maxInputBytesPerRequest;

  async function end(id: string, ask: (child: Child) => void, waitMs = 0): Promise<ProcessInfo> {
    const process = processes.get(id);
    if (process.isRunning) ask(process.child);
    await process.wait(Math.min(waitMs, maxWaitMs));
    return process.info();
  }

  return {
    listProcesses({ query: { owner, tag = [] } }) {
      const all = processes.list().map((process) => process.info());
      const matches = all.filter((info) => !owner || info.owner === owner);
      return { processes: matches.filter(({ tags }) => tag.every((wanted) => tags.includes(wanted))) };
    },
    createProcess: ({ body }) => processes.create(body),
    runProcess: ({ body, signal }) => runToEnd(processes, body, signal),
    runProcessStream: ({ body, signal, connection }) => runStream(processes, body, { signal, connection }),
    streamProcessEvents({ request, signal, connection }) {
      const { lifecycle } = processes;
      const start = lifecycle.positionAfter(request.headers.get("last-event-id"));
      return streams.open({ signal, connection }, lifecycle.frames(), start);
    },
    getProcessConfig: () => processes.config,
    setProcessConfig: ({ body }) => (processes.config = { ...processes.config, ...body }),
    getProcess: ({ params }) => processes.get(params.process_id).info(),
    deleteProcess: ({ params }) => processes.delete(params.process_id),
    stopProcess: ({ params, query }) => end(params.process_id, (child) => child.stop(), query.wait_ms),
    killProcess: ({ params, query }) => end(params.process_id, (child) => child.kill(), query.wait_ms),
    signalProcess({ params, body }) {
      const process = processes.get(params.process_id);
      process.signal(body.signal);
      return process.info();
    },
    writeProcessInput({ params, body }) {
      const process = processes.get(params.process_id);
      const bytes = decodeInput(body.data, body.encoding ?? "base64", maxInputBytes());
      process.write(bytes);
      if (body.close) process.closeInput();
      return { bytesWritten: bytes.length };
    },
    getProcessLogs({ params, query, request, signal, connection }) {
      const { id, log, description } = processes.get(params.process_id);
      const stream = query.stream ?? (description.tty ? "pty" : "combined");
      const since = Math.max(query.since ?? 0, lastSequenceSeen(request));
      const selection = { stream, since, tail: query.tail };
      if (query.follow) return streams.open({ signal, connection }, ...logFrames(log, secrets, selection));
      return { processId: id, stream, entries: keptEntries(log, secrets, selection) };
    },
    resizeProcessTerminal({ params, body }) {
      processes.get(params.process_id).requireTerminal().resize(body);
      return body;
    },
    attachProcessTerminal: ({ params, upgrade }) =>
      upgrade(viewTerminal(processes.get(params.process_id).requireTerminal(), maxInputBytes)),
  } satisfies Partial<Handlers>;
}
