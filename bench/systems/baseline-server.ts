/**
 * The minimal work of a daemon on this runtime: read a line from the agent, number it, commit it to SQLite, send it to the reader.
 * No schema, no state, no history, no checkpoint of the write-ahead log. It imports nothing from this project, because it is what
 * the daemon is compared with. Arguments: `port directory`. The body of a POST is the program to start for a new session, or the
 * prompt for an existing one.
 */
import { Database } from "bun:sqlite";
import { join } from "node:path";

const [port = "", directory = ""] = process.argv.slice(2);
const database = new Database(join(directory, "baseline.db"));
for (const setting of ["journal_mode = WAL", "synchronous = NORMAL", "wal_autocheckpoint = 0"])
  database.run(`PRAGMA ${setting}`);
database.run("CREATE TABLE events (id INTEGER PRIMARY KEY, event TEXT NOT NULL, raw TEXT NOT NULL)");
const insert = database.query("INSERT INTO events (event, raw) VALUES (?, ?)");
const begin = database.query("BEGIN IMMEDIATE");
const commit = database.query("COMMIT");

interface AgentMessage {
  id?: number;
  params?: { update: { content: { text: string } } };
}

interface Session {
  request(method: string, params: object): Promise<void>;
  reader: ReadableStreamDirectController | null;
}

function startSession(program: string): Session {
  const agent = Bun.spawn([program], { stdin: "pipe", stdout: "pipe" });
  const pending = new Map<number, () => void>();
  let sequence = 0;
  const session: Session = {
    reader: null,
    request(method, params) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const id = pending.size + 1;
      pending.set(id, resolve);
      agent.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
      agent.stdin.flush();
      return promise;
    },
  };

  function onLines(lines: readonly string[]): void {
    let frames = "";
    if (lines.length > 1) begin.run();
    for (const line of lines) {
      const { id, params }: AgentMessage = JSON.parse(line);
      if (id !== undefined) pending.get(id)?.();
      if (!params) continue;
      sequence += 1;
      const delta = JSON.stringify(params.update.content.text);
      const event = `{"sequence":${sequence},"time":"${new Date().toISOString()}","type":"item.delta","data":{"delta":${delta}}}`;
      insert.run(event, line);
      frames += `id: ${sequence}\ndata: ${event}\n\n`;
    }
    if (lines.length > 1) commit.run();
    if (frames === "") return;
    session.reader?.write(frames);
    session.reader?.flush();
  }

  async function readAgent(): Promise<void> {
    const decoder = new TextDecoder();
    let rest = "";
    for await (const chunk of agent.stdout) {
      const lines = (rest + decoder.decode(chunk)).split("\n");
      rest = lines.pop() ?? "";
      onLines(lines);
    }
  }

  void readAgent();
  return session;
}

function stream(session: Session): Response {
  const body = new ReadableStream({
    type: "direct",
    pull(controller) {
      session.reader = controller;
      controller.write(": connected\n\n");
      controller.flush();
      return new Promise(() => {});
    },
  });
  return new Response(body, { headers: { "content-type": "text/event-stream" } });
}

const sessions = new Map<string, Session>();

async function openSession(id: string, program: string): Promise<void> {
  const session = startSession(program);
  sessions.set(id, session);
  await session.request("initialize", {});
  await session.request("session/new", {});
}

Bun.serve({
  port: Number(port),
  hostname: "127.0.0.1",
  idleTimeout: 0,
  async fetch(request) {
    const [, , id = ""] = new URL(request.url).pathname.split("/");
    const session = sessions.get(id);
    if (session && request.method === "GET") return stream(session);
    if (request.method === "GET") return new Response();
    const text = await request.text();
    if (session) await session.request("session/prompt", { prompt: [{ type: "text", text }] });
    else await openSession(id, text);
    return new Response();
  },
});
