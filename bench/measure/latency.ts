/** How long single events and requests take. */
import { join } from "node:path";
import { preciseTime } from "../clock.ts";
import { cpuSeconds } from "../process.ts";
import { type Figure, median, percentileOf } from "../report/figure.ts";
import { scriptedAgent } from "../systems/scripted.ts";
import type { Running, System } from "../systems/system.ts";

/** Time from the write of a delta by the agent to its arrival at a reader of the stream. */
export async function addedLatency(daemon: Running, rate: number, seconds: number, sessions = 1): Promise<Figure[]> {
  const count = rate * seconds;
  const names = Array.from({ length: sessions }, (_, index) => `pace${rate}-${sessions}-${index}`);
  await Promise.all(names.map((name) => daemon.open(name)));
  await Promise.all(names.map((name) => daemon.prompt(name, "hello")));
  const latencies: number[] = [];
  const readers = await Promise.all(names.map((name) => daemon.follow(name)));
  for (const reader of readers) {
    reader.onText = (text) => {
      const now = preciseTime();
      for (const [, made] of text.matchAll(/"(?:delta|text)":"(\d{12,}\.\d+)"/g)) latencies.push(now - Number(made));
    };
  }
  const cpu = cpuSeconds(daemon.pid);
  await Promise.all(names.map((name) => daemon.prompt(name, `pace ${count} ${rate}`)));
  await Promise.all(readers.map((reader) => reader.settled(count + 1)));
  const used = cpuSeconds(daemon.pid) - cpu;
  for (const reader of readers) reader.close();
  const name = sessions === 1 ? `${rate} events/s` : `${sessions} sessions × ${rate} events/s`;
  return [
    percentileOf(`${name}: added latency p50`, latencies, 0.5),
    percentileOf(`${name}: added latency p99`, latencies, 0.99),
    { work: `${name}: CPU per event`, value: (used / (count * sessions)) * 1e6, unit: "µs" },
  ];
}

/** Several starts, each on a new directory. The first turn is included, because part of the daemon is loaded only then. */
export async function starts(system: System, directory: string, count: number): Promise<Figure[]> {
  const [healthy, done]: [number[], number[]] = [[], []];
  for (let index = 0; index < count; index++) {
    const daemon = await system.start(join(directory, `start-${index}`));
    const firstTurn = await timed(async () => {
      await daemon.open("first");
      await daemon.prompt("first", "hello");
    });
    healthy.push(daemon.startMs);
    done.push(daemon.startMs + firstTurn);
    await daemon.stop();
  }
  return [
    { work: "start → healthy", value: median(healthy), unit: "ms" },
    { work: "start → first turn of a first session done", value: median(done), unit: "ms" },
  ];
}

/** A new session with a new agent process. */
export async function newSessions(daemon: Running, count: number): Promise<Figure[]> {
  const [created, ready]: [number[], number[]] = [[], []];
  for (let index = 0; index < count; index++) {
    const session = `new${index}`;
    const creation = await timed(() => daemon.open(session));
    created.push(creation);
    ready.push(creation + (await timed(() => daemon.prompt(session, "hello"))));
  }
  return [
    percentileOf("session created, p50", created, 0.5),
    percentileOf("session created, p95", created, 0.95),
    percentileOf("session created and its first turn done, p50", ready, 0.5),
  ];
}

/** Turns with an answer of a few sentences, and with the shortest possible answer. */
export async function warmTurns(daemon: Running, count: number): Promise<Figure[]> {
  await daemon.open("turns");
  const times = new Map<number, number[]>([20, 1].map((deltas) => [deltas, []]));
  for (let index = 0; index < count; index++)
    for (const [deltas, each] of times) each.push(await timed(() => daemon.turn("turns", deltas)));
  return [...times].map(([deltas, each]) =>
    percentileOf(`whole turn on a warm session, ${deltas} ${deltas === 1 ? "delta" : "deltas"}, p50`, each, 0.5),
  );
}

async function timed(work: () => Promise<void>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/**
 * Sends the same request on one connection, each as soon as the last is answered. Uses a socket, because `fetch` costs more than
 * what is measured. A response is complete with its closing brace: both daemons send this one as JSON in one chunk.
 */
async function repeatRequest(url: string, path: string, times: number): Promise<void> {
  const { hostname, host, port } = new URL(url);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const request = `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
  let answered = 0;
  const socket = await Bun.connect({
    hostname,
    port: Number(port),
    socket: {
      data(socket, bytes) {
        if (bytes.at(-1) !== endOfObject) return;
        answered += 1;
        if (answered < times) socket.write(request);
        else resolve();
      },
      close: () => reject(new Error(`${url} closed the connection`)),
      error: (_, error) => reject(error),
    },
  });
  socket.write(request);
  await promise;
  socket.end();
}

const endOfObject = "}".charCodeAt(0);

export async function health({ url, pid }: Running, count: number): Promise<Figure[]> {
  const clients = 32;
  const [cpu, started] = [cpuSeconds(pid), performance.now()];
  await Promise.all(Array.from({ length: clients }, () => repeatRequest(url, "/v1/health", count / clients)));
  const seconds = (performance.now() - started) / 1000;
  return [
    { work: `GET /v1/health, ${clients} clients`, value: count / seconds, unit: "requests/s" },
    { work: "… CPU per request", value: ((cpuSeconds(pid) - cpu) / count) * 1e6, unit: "µs" },
  ];
}

/** The start and handshake of the agent itself, which every new session includes. */
export async function agentAlone(count: number): Promise<Figure> {
  const times: number[] = [];
  for (let index = 0; index < count; index++) {
    const started = performance.now();
    const child = Bun.spawn([scriptedAgent()], { stdin: "pipe", stdout: "pipe", env: { PATH: process.env.PATH } });
    const answers = child.stdout.getReader();
    for (const method of ["initialize", "session/new"]) {
      child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: method, method, params: {} })}\n`);
      child.stdin.flush();
      await answers.read();
    }
    times.push(performance.now() - started);
    child.kill();
    await child.exited;
  }
  return { work: "the scripted agent alone, start and handshake, p50", value: median(times), unit: "ms" };
}
