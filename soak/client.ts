/** Requests of a run. Each answer is held against the API document; failures that nobody caused are violations. */
import { type Answer, TestClient } from "../test/harness/client.ts";
import type { SoakDaemon } from "./daemon.ts";
import type { Ledger } from "./ledger.ts";
import type { SmallDisk } from "./place.ts";

export interface SoakClient {
  /** Null when the daemon died before it answered. */
  ask(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer | null>;
  /** The same until there is an answer and the disk is no reason for it. For what may be asked twice. */
  insist(method: string, path: string, body?: unknown): Promise<Answer>;
  /** Sends a message and reads the events of its turn, at most that many and that long. */
  stream(path: string, body: unknown, limits: { frames: number; milliseconds: number }): Promise<Answer | null>;
}

const answerWithinMs = 120_000;
const retryMs = 100;

export function createClient(daemon: SoakDaemon, ledger: Ledger, disk: SmallDisk | null): SoakClient {
  async function ask(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer | null> {
    return attempt(`${method} ${path}`, (client) =>
      client.call(method, path, {
        ...(body !== undefined && { body }),
        // A connection that is kept would count as a file of the daemon.
        headers: { connection: "close", ...headers },
        signal: AbortSignal.timeout(answerWithinMs),
      }),
    );
  }

  async function attempt(what: string, call: (client: TestClient) => Promise<Answer>): Promise<Answer | null> {
    await daemon.ready();
    const [life, fills, wasFull] = [daemon.life, disk?.fills, disk?.isFull];
    ledger.count("requests");
    try {
      const answer = await call(new TestClient(daemon.url));
      const kind = problemKind(answer);
      if (kind === "internal_error") ledger.violate("internal-error", `${what} answered ${answer.text}`);
      if (kind === "storage_unavailable" && !wasFull && fills === disk?.fills)
        ledger.violate("storage", `${what} answered ${answer.text}, but the disk is not full`);
      return answer;
    } catch (error) {
      if (life === daemon.life && daemon.isUp) ledger.violate("no-answer", `${what} failed: ${error}`);
      return null;
    }
  }

  return {
    ask,
    async insist(method, path, body) {
      for (;;) {
        const answer = await ask(method, path, body);
        if (answer && problemKind(answer) !== "storage_unavailable") return answer;
        await Bun.sleep(retryMs);
      }
    },
    stream: (path, body, limits) =>
      attempt(`POST ${path}`, async (client) => {
        const hangUp = AbortSignal.timeout(limits.milliseconds);
        const response = await client.fetch("POST", path, { body, headers: { connection: "close" } });
        const { status, headers } = response;
        if (status !== 200) {
          const text = await response.text();
          return { status, headers, text, json: JSON.parse(text) };
        }
        await readSome(response, limits.frames, hangUp);
        return { status, headers, text: "", json: undefined };
      }),
  };
}

/** Reads until the end, or hangs up in the middle. */
async function readSome(response: Response, chunks: number, hangUp: AbortSignal): Promise<void> {
  const reader = response.body?.getReader();
  if (!reader) return;
  const over = new Promise<{ done: true }>((resolve) => {
    hangUp.addEventListener("abort", () => resolve({ done: true }));
  });
  for (let count = 0; count < chunks; count++) if ((await Promise.race([reader.read(), over])).done) break;
  await reader.cancel();
}

/** What kind of problem an answer is: the end of its type. */
export function problemKind(answer: Answer): string | null {
  const type: unknown = answer.json?.type;
  return answer.status >= 400 && typeof type === "string" ? type.replace(/^.*:/, "") : null;
}
