import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { curlOf } from "./curl.ts";
import { createRequestLog, type Exchange } from "./request-log.ts";

/** The arguments that a shell passes to curl. */
function argumentsOf(command: string, token: string): string[] {
  const script = `curl() { printf '%s\\0' "$@"; }\n${command}`;
  const env = { ...process.env, SANDBOX_AGENT_TOKEN: token };
  return execFileSync("sh", ["-c", script], { env, encoding: "utf8" }).split("\0").slice(0, -1);
}

async function recordedExchange(url: string, init: RequestInit): Promise<Exchange> {
  const log = createRequestLog(async () => Response.json({}));
  await log.fetch(url, init);
  const [exchange] = log.exchanges();
  if (!exchange) throw new Error("nothing was recorded");
  return exchange;
}

describe("copy as curl", () => {
  test("is the same request in a shell, including quotes and line breaks", async () => {
    const body = JSON.stringify({ message: 'it\'s $HOME, `date` and \\\n"done"' });
    const exchange = await recordedExchange("http://127.0.0.1:2468/v1/sessions/a%20b?x=1&y='2'", {
      method: "POST",
      headers: { authorization: "Bearer s3cret", "content-type": "application/json" },
      body,
    });
    const command = curlOf(exchange);
    expect(command).not.toContain("s3cret");
    expect(argumentsOf(command, "s3cret")).toEqual([
      "-X",
      "POST",
      "http://127.0.0.1:2468/v1/sessions/a%20b?x=1&y='2'",
      "-H",
      "authorization: Bearer s3cret",
      "-H",
      "content-type: application/json",
      "--data-raw",
      body,
    ]);
  });
});
