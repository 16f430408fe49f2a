/** The program that `stalls.ts` starts: requests the health of a daemon and reports the response times. */
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import type { Stalls } from "./stalls.ts";

/** Sends requests on one connection, each after the last was answered, until standard input ends. */
function poll(url: string, pid: string): void {
  const { hostname, port } = new URL(url);
  const stalls: Stalls = { answers: 0, longestMs: 0, longestCpuMs: 0 };
  const cpuMs = () => Number(readFileSync(`/proc/${pid}/schedstat`, "utf8").split(" ", 1)[0]) / 1e6;
  let sent = { at: 0, cpu: 0 };
  const send = () => {
    sent = { at: performance.now(), cpu: cpuMs() };
    socket.write(`GET /v1/health HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`);
  };
  const socket = connect(Number(port), hostname, send);
  let answer = "";
  let stopping = false;
  socket.on("data", (chunk) => {
    answer += chunk.toString("latin1");
    if (!answer.includes("}")) return;
    answer = "";
    const took = performance.now() - sent.at;
    stalls.answers += 1;
    stalls.longestMs = Math.max(stalls.longestMs, took);
    stalls.longestCpuMs = Math.max(stalls.longestCpuMs, Math.min(took, cpuMs() - sent.cpu));
    if (stalls.answers === 1) process.stdout.write("watching\n");
    if (stopping) return void process.stdout.write(`${JSON.stringify(stalls)}\n`, () => process.exit(0));
    // With a pause, so that these requests do not keep the daemon busy.
    setTimeout(send, 1);
  });
  process.stdin.on("data", () => {});
  // Wait for the pending response, because the daemon may be stalled.
  process.stdin.on("end", () => {
    stopping = true;
  });
}

const [, , url, pid] = process.argv;
if (url && pid) poll(url, pid);
