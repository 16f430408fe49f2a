/** Codex over its app-server protocol. */
import { mkdirSync } from "node:fs";
import { JsonRpc } from "../../packages/agents/src/process/json-rpc.ts";
import { LineSplitter } from "../../packages/agents/src/process/lines.ts";
import { type BareAgent, type BareOptions, baseEnvironment, stopwatch } from "./bare.ts";

export async function bareCodex(options: BareOptions): Promise<BareAgent> {
  const codexHome = `${options.home}/codex`;
  mkdirSync(codexHome, { recursive: true });
  const provider = `{name="bench",base_url="${options.modelUrl}/v1",env_key="BENCH_KEY"}`;
  const config = ['model_provider="bench"', `model_providers.bench=${provider}`, "check_for_update_on_startup=false"];
  const off = ["plugins", "apps", "goals"].flatMap((feature) => ["--disable", feature]);
  const child = Bun.spawn([options.program, "app-server", ...off, ...config.flatMap((entry) => ["-c", entry])], {
    cwd: options.directory,
    env: { ...baseEnvironment(options), CODEX_HOME: codexHome, BENCH_KEY: "test-key" },
    stdin: "pipe",
    stdout: "pipe",
    stderr: "ignore",
  });
  let watch = stopwatch();
  const rpc = new JsonRpc({
    withVersion: false,
    write(line) {
      child.stdin.write(`${line}\n`);
      child.stdin.flush();
    },
    onNotification(method) {
      if (method === "item/agentMessage/delta") watch.first();
      if (method === "turn/completed") watch.done();
    },
    onRequest: () => {},
    onStray: () => {},
  });
  void (async () => {
    const splitter = new LineSplitter();
    for await (const chunk of child.stdout) await rpc.receive(splitter.push(chunk));
  })();
  await rpc.request("initialize", {
    clientInfo: { name: "bench", title: null, version: "0" },
    capabilities: { experimentalApi: true, requestAttestation: false },
  });
  rpc.notify("initialized");
  const thread = { cwd: options.directory, model: "gpt-5.5", approvalPolicy: "never", sandbox: "danger-full-access" };
  const started = (await rpc.request("thread/start", thread)) as { thread: { id: string } };
  return {
    turn(prompt) {
      watch = stopwatch();
      void rpc.request("turn/start", { threadId: started.thread.id, input: [{ type: "text", text: prompt }] });
      return watch.result;
    },
    async close() {
      child.kill("SIGKILL");
      await child.exited;
    },
  };
}
