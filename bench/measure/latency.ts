/** How long single events and requests take. */

import { createSession, post } from "../client.ts";
import { clockAgent, preciseTime } from "../clock-agent.ts";
import type { MeasuredDaemon } from "../daemon.ts";
import { cpuSeconds, percentile } from "../process.ts";
import type { Figure } from "../table.ts";

/** From the moment the agent makes a delta to the moment a reader of the stream has it. */
export async function addedLatency(
  { url, pid }: MeasuredDaemon,
  rate: number,
  seconds: number,
  sessions = 1,
): Promise<Figure[]> {
  const count = rate * seconds;
  const cpu = cpuSeconds(pid);
  const runs = Array.from({ length: sessions }, async (_, index) => {
    const id = `latency-${rate}-${sessions}-${index}`;
    await createSession(url, id, clockAgent.id);
    const response = await fetch(`${url}/v1/sessions/${id}/events/sse`);
    const latencies = collect(response, count);
    await post(url, `/v1/sessions/${id}/messages`, { message: `${count} ${rate}` });
    return latencies;
  });
  const latencies = (await Promise.all(runs)).flat();
  const cpuUsed = cpuSeconds(pid) - cpu;
  const name = sessions === 1 ? `${rate} events/s` : `${sessions} sessions × ${rate} events/s`;
  return [
    { work: `${name}: added latency p50`, value: percentile(latencies, 0.5), unit: "ms" },
    { work: `${name}: added latency p99`, value: percentile(latencies, 0.99), unit: "ms" },
    { work: `${name}: CPU per event`, value: (cpuUsed / latencies.length) * 1e6, unit: "µs" },
  ];
}

async function collect(response: Response, count: number): Promise<number[]> {
  const latencies: number[] = [];
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    const now = preciseTime();
    for (const [, made] of decoder.decode(chunk).matchAll(/"delta":"([\d.]+)"/g)) latencies.push(now - Number(made));
    if (latencies.length >= count) break;
  }
  return latencies;
}

export async function sessionCreation({ url }: MeasuredDaemon, count: number): Promise<Figure[]> {
  const times: number[] = [];
  for (let index = 0; index < count; index++) {
    const started = performance.now();
    await createSession(url, `create${index}`);
    times.push(performance.now() - started);
  }
  return [
    { work: "session created, p50", value: percentile(times, 0.5), unit: "ms" },
    { work: "session created, p95", value: percentile(times, 0.95), unit: "ms" },
  ];
}

export async function warmTurn({ url }: MeasuredDaemon, count: number): Promise<Figure[]> {
  await createSession(url, "turns");
  const times: number[] = [];
  for (let index = 0; index < count; index++) {
    const started = performance.now();
    await post(url, "/v1/sessions/turns/messages/stream", { message: "hello" });
    times.push(performance.now() - started);
  }
  return [{ work: "whole turn on a warm session, p50", value: percentile(times, 0.5), unit: "ms" }];
}

export async function health({ url, pid }: MeasuredDaemon, count: number): Promise<Figure[]> {
  const clients = 32;
  const [cpu, started] = [cpuSeconds(pid), performance.now()];
  await Promise.all(
    Array.from({ length: clients }, async () => {
      for (let index = 0; index < count / clients; index++) await (await fetch(`${url}/v1/health`)).arrayBuffer();
    }),
  );
  const seconds = (performance.now() - started) / 1000;
  return [
    { work: `GET /v1/health, ${clients} clients`, value: count / seconds, unit: "requests/s" },
    { work: "CPU per health request", value: ((cpuSeconds(pid) - cpu) / count) * 1e6, unit: "µs" },
  ];
}
