/** Terminals of the OpenCode API: the daemon's processes that have a PTY. */

import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { background } from "@sandbox-agent/agents";
import { ProblemError, TerminalSize } from "@sandbox-agent/schema";
import * as z from "zod";
import { type TerminalProtocol, viewTerminal } from "../../http/terminal-viewer.ts";
import type { ManagedProcess } from "../../processes/managed-process.ts";
import type { OpenCodeContext } from "./context.ts";
import type { PtyTickets } from "./pty-tickets.ts";
import type { OpenCodeCall, OpenCodeRoutes } from "./router.ts";
import type { Pty } from "./wire.ts";

const Create = z.object({
  command: z.string().min(1).optional(),
  args: z.array(z.string()).optional(),
  cwd: z.string().optional(),
  title: z.string().optional(),
  env: z.record(z.string(), z.string()).optional(),
});

const Update = z.object({
  title: z.string().optional(),
  size: TerminalSize().optional(),
});

/** How long a DELETE waits for the process to exit. */
const exitTimeoutMs = 5000;
const fallbackShell = "/bin/sh";
const [processPrefix, ptyPrefix] = ["proc_", "pty_"];

export function ptyRoutes({ processes, announcements }: OpenCodeContext, tickets: PtyTickets): OpenCodeRoutes {
  /** Titles set by clients; processes themselves have none. */
  const titles = new WeakMap<ManagedProcess, string>();

  function found(call: OpenCodeCall): ManagedProcess {
    const id = call.param("ptyID");
    const process = processes.list().find((each) => each.terminal && toPtyId(each) === id);
    if (process) return process;
    throw new ProblemError("not_found", `there is no terminal ${id}`);
  }

  function view(process: ManagedProcess): Pty {
    const { command, args, cwd, status, exitCode } = process.info();
    return {
      id: toPtyId(process),
      title: titles.get(process) ?? [command, ...args].join(" "),
      command,
      args,
      cwd,
      status,
      pid: process.child.pid,
      ...(exitCode !== undefined && { exitCode }),
    };
  }

  return {
    "GET /pty": () => processes.list().flatMap((process) => (process.terminal ? [view(process)] : [])),
    "GET /pty/shells": async () => (await shells()).map((path) => ({ path, name: basename(path), acceptable: true })),
    async "POST /pty"(call) {
      const { title, ...body } = await call.body(Create);
      const shell = processes.environmentWith().SHELL || fallbackShell;
      const { id } = await processes.create({ command: shell, cwd: call.directory, ...body, tty: true });
      const process = processes.get(id);
      if (title) titles.set(process, title);
      const info = view(process);
      announcements.announce(call.directory, { type: "pty.created", properties: { info } });
      const ended = process.ended.then(() => {
        const properties = { id: info.id, exitCode: process.info().exitCode ?? -1 };
        announcements.announce(call.directory, { type: "pty.exited", properties });
      });
      background("announce the end of a terminal", ended);
      return info;
    },
    "GET /pty/:ptyID": (call) => view(found(call)),
    async "PUT /pty/:ptyID"(call) {
      const process = found(call);
      const { title, size } = await call.body(Update);
      if (title !== undefined) titles.set(process, title);
      if (size) process.requireTerminal().resize(size);
      const info = view(process);
      announcements.announce(call.directory, { type: "pty.updated", properties: { info } });
      return info;
    },
    async "DELETE /pty/:ptyID"(call) {
      const process = found(call);
      if (process.isRunning) process.child.kill();
      await process.wait(exitTimeoutMs);
      processes.delete(process.id);
      announcements.announce(call.directory, { type: "pty.deleted", properties: { id: toPtyId(process) } });
      return true;
    },
    "POST /pty/:ptyID/connect-token": (call) => tickets.issue(`/pty/${toPtyId(found(call))}/connect`, call.principal),
    "GET /pty/:ptyID/connect": (call) =>
      call.upgrade(
        viewTerminal(found(call).requireTerminal(), () => processes.config.maxInputBytesPerRequest, plainText()),
      ),
  };
}

/** The shells that the machine lists. */
async function shells(): Promise<string[]> {
  const listed = await readFile("/etc/shells", "utf8").catch(() => fallbackShell);
  return listed.split("\n").filter((line) => line.startsWith("/") && existsSync(line));
}

function toPtyId({ id }: ManagedProcess): string {
  return id.replace(processPrefix, ptyPrefix);
}

/** OpenCode's clients receive output and send input as plain text frames, without control messages. */
function plainText(): TerminalProtocol {
  const decoder = new TextDecoder();
  return {
    control: () => null,
    output: (bytes) => decoder.decode(bytes, { stream: true }),
    parse: (message) => ({ type: "input", data: message.toString(), encoding: "text" }),
  };
}
