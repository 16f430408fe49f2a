/** The program that `stalls.ts` starts: asks a daemon for its health and prints how long it had to wait. */
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import type { Stalls } from "./stalls.ts";

/** Asks over one connection, the next time as soon as the answer is there, until its standard input ends. */
function poll(url: string, pid: string): void {
  const { hostname, port } = new URL(url);
  const stalls: Stalls = { answers: 0, longestMs: 0, longestCpuMs: 0 };
  const cpuMs = () => Number(readFileSync(`/proc/${pid}/schedstat`, "utf8").split(" ", 1)[0]) / 1e6;
  let asked = { at: 0, cpu: 0 };
  const ask = () => {
    asked = { at: performance.now(), cpu: cpuMs() };
    socket.write(`GET /v1/health HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`);
  };
  const socket = connect(Number(port), hostname, ask);
  let answer = "";
  let stopping = false;
  socket.on("data", (chunk) => {
    answer += chunk.toString("latin1");
    if (!answer.includes("}")) return;
    answer = "";
    const took = performance.now() - asked.at;
    stalls.answers += 1;
    stalls.longestMs = Math.max(stalls.longestMs, took);
    stalls.longestCpuMs = Math.max(stalls.longestCpuMs, Math.min(took, cpuMs() - asked.cpu));
    if (stalls.answers === 1) process.stdout.write("watching\n");
    if (stopping) return void process.stdout.write(`${JSON.stringify(stalls)}\n`, () => process.exit(0));
    // Not without a pause: the requests must not be what the daemon is busy with.
    setTimeout(ask, 1);
  });
  process.stdin.on("data", () => {});
  // The answer that is still to come counts: the daemon may be at a standstill.
  process.stdin.on("end", () => {
    stopping = true;
  });
}

const [, , url, pid] = process.argv;
if (url && pid) poll(url, pid);
