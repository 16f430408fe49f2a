/** OpenCode over its HTTP server. */
import { launchFor, noOverrides } from "../../packages/agents/src/opencode/launch.ts";
import { type BareAgent, type BareOptions, launchEnvironment, stopwatch } from "./bare.ts";

export async function bareOpenCode(options: BareOptions): Promise<BareAgent> {
  const launch = launchFor({ command: [options.program] }, launchEnvironment(options), noOverrides, {
    shell: "/bin/sh",
  });
  const child = Bun.spawn([...launch.command, "serve", "--hostname", "127.0.0.1", "--port", "0"], {
    cwd: options.directory,
    env: launch.env,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "ignore",
  });
  const url = await listening(child.stdout);
  const query = `directory=${encodeURIComponent(options.directory)}`;
  let watch = stopwatch();
  void follow(`${url}/event?${query}`, (type) => {
    if (type === "message.part.delta") watch.first();
    if (type === "session.idle") watch.done();
  }).catch(() => {});
  const session = (await postJson(`${url}/session?${query}`, { title: "bench" })) as { id: string };
  const model = { providerID: "anthropic", modelID: "claude-sonnet-4-6" };
  return {
    turn(prompt) {
      watch = stopwatch();
      const parts = [{ type: "text", text: prompt }];
      void postJson(`${url}/session/${session.id}/prompt_async?${query}`, { parts, model });
      return watch.result;
    },
    async close() {
      child.kill("SIGKILL");
      await child.exited;
    },
  };
}

async function listening(stdout: ReadableStream<Uint8Array>): Promise<string> {
  let text = "";
  for await (const chunk of stdout) {
    text += new TextDecoder().decode(chunk);
    const url = text.match(/listening on (\S+)/)?.[1];
    if (url) return url;
  }
  throw new Error(`opencode did not start: ${text}`);
}

async function postJson(url: string, body: unknown): Promise<unknown> {
  const headers = { "content-type": "application/json" };
  const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  const text = await response.text();
  return text ? JSON.parse(text) : null;
}

async function follow(url: string, each: (type: string) => void): Promise<void> {
  const response = await fetch(url);
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? [])
    for (const [, type = ""] of decoder.decode(chunk).matchAll(/"type":"([a-z.]+)","properties"/g)) each(type);
}
