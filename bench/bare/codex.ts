/** Codex over its app-server protocol. */
import { mkdirSync } from "node:fs";
import { planLaunch } from "../../packages/agents/src/codex/launch.ts";
import { JsonRpc } from "../../packages/agents/src/process/json-rpc.ts";
import { LineSplitter } from "../../packages/agents/src/process/lines.ts";
import { type BareAgent, type BareOptions, launchEnvironment, stopwatch } from "./bare.ts";

export async function bareCodex(options: BareOptions): Promise<BareAgent> {
  const installed = { agent: "codex", version: null, path: options.program, command: [options.program] };
  const launch = planLaunch(
    { env: {}, credentials: {}, endpoints: {}, mcp: {} },
    installed,
    launchEnvironment(options),
  );
  mkdirSync(launch.codexHome, { recursive: true });
  const child = Bun.spawn([...launch.command], {
    cwd: options.directory,
    env: launch.env,
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
    onNotification({ method }) {
      if (method === "item/agentMessage/delta") watch.first();
      if (method === "turn/completed") watch.done();
    },
    onRequest: () => {},
    onInvalid: () => {},
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
  await rpc.request("account/login/start", { type: "apiKey", apiKey: launch.apiKey });
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
