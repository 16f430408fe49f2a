/** Requests of a run. Each response is checked against the API document; failures without an injected fault are violations. */
import { type Answer, TestClient } from "../test/harness/client.ts";
import type { SoakDaemon } from "./daemon.ts";
import type { Ledger } from "./ledger.ts";
import type { SmallDisk } from "./place.ts";

export interface SoakClient {
  /** Null when the daemon died before it answered. */
  request(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer | null>;
  /** Repeats the request until it is answered and not refused because of a full disk. For requests that may be repeated. */
  requestUntilAnswered(method: string, path: string, body?: unknown): Promise<Answer>;
  /** Sends a message and reads the events of its turn, at most that many and that long. */
  stream(path: string, body: unknown, limits: { frames: number; milliseconds: number }): Promise<Answer | null>;
}

const answerTimeoutMs = 120_000;
const retryMs = 100;

export function createClient(daemon: SoakDaemon, ledger: Ledger, disk: SmallDisk | null): SoakClient {
  async function request(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer | null> {
    return attempt(`${method} ${path}`, (client) =>
      client.call(method, path, {
        ...(body !== undefined && { body }),
        // A kept-alive connection would count as an open file of the daemon.
        headers: { connection: "close", ...headers },
        signal: AbortSignal.timeout(answerTimeoutMs),
      }),
    );
  }

  async function attempt(what: string, call: (client: TestClient) => Promise<Answer>): Promise<Answer | null> {
    await daemon.ready();
    const [starts, fills, wasFull] = [daemon.starts, disk?.fills, disk?.isFull];
    ledger.count("requests");
    try {
      const answer = await call(new TestClient(daemon.url));
      const kind = problemKind(answer);
      if (kind === "internal_error") ledger.violate("internal-error", `${what} answered ${answer.text}`);
      if (kind === "storage_unavailable" && !wasFull && fills === disk?.fills)
        ledger.violate("storage", `${what} answered ${answer.text}, but the disk is not full`);
      return answer;
    } catch (error) {
      if (starts === daemon.starts && daemon.isUp) ledger.violate("no-answer", `${what} failed: ${error}`);
      return null;
    }
  }

  return {
    request,
    async requestUntilAnswered(method, path, body) {
      for (;;) {
        const answer = await request(method, path, body);
        if (answer && problemKind(answer) !== "storage_unavailable") return answer;
        await Bun.sleep(retryMs);
      }
    },
    stream: (path, body, limits) =>
      attempt(`POST ${path}`, async (client) => {
        const disconnect = AbortSignal.timeout(limits.milliseconds);
        const response = await client.fetch("POST", path, { body, headers: { connection: "close" } });
        const { status, headers } = response;
        if (status !== 200) {
          const text = await response.text();
          return { status, headers, text, json: JSON.parse(text) };
        }
        await readSome(response, limits.frames, disconnect);
        return { status, headers, text: "", json: undefined };
      }),
  };
}

/** Reads until the end of the stream, or disconnects before it. */
async function readSome(response: Response, chunks: number, disconnect: AbortSignal): Promise<void> {
  const reader = response.body?.getReader();
  if (!reader) return;
  const disconnected = new Promise<{ done: true }>((resolve) => {
    disconnect.addEventListener("abort", () => resolve({ done: true }));
  });
  for (let count = 0; count < chunks; count++) if ((await Promise.race([reader.read(), disconnected])).done) break;
  await reader.cancel();
}

/** The problem kind of an answer: the last part of its type. */
export function problemKind(answer: Answer): string | null {
  const type: unknown = answer.json?.type;
  return answer.status >= 400 && typeof type === "string" ? type.replace(/^.*:/, "") : null;
}
