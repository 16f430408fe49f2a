/**
 * `npm run record -- <agent> <name> <message…>`: plays messages to the real program of an agent, with a scripted model, and
 * writes its traffic into test/fixtures/<agent>/<name>.jsonl. For agents that are built in and talk over standard input and output
 * (claude, codex, pi); messages have the markers of test/model. CONTRIBUTING.md describes when this is needed.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createInstaller } from "@sandbox-agent/agents";
import { defaultOptions, startDaemon } from "@sandbox-agent/daemon";
import { PermissionMode, PermissionReply } from "@sandbox-agent/schema";
import { SandboxAgent } from "sandbox-agent";
import { startModelServer } from "../test/model/server.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    "permission-mode": { type: "string", default: "default" },
    /** How permissions are answered; questions get their first option, or are rejected with `reject`. */
    reply: { type: "string", default: "once" },
    "abort-after-ms": { type: "string" },
  },
});
const [agent, name, ...messages] = positionals;
if (!agent || !name || messages.length === 0) {
  console.error(
    'usage: npm run record -- <agent> <name> "<message>"… [--permission-mode M] [--reply once|always|reject] [--abort-after-ms N]',
  );
  process.exit(2);
}
const permissionMode = PermissionMode().parse(values["permission-mode"]);
const reply = PermissionReply().parse(values.reply);

const place = mkdtempSync(join(tmpdir(), "sandbox-agent-record-"));
const home = join(place, "home");
const directory = join(place, "workspace");
const recordings = join(place, "recordings");
for (const each of [home, directory, recordings]) mkdirSync(each);

const cache = join(import.meta.dirname, "../node_modules/.cache/sandbox-agent/agents");
const { command, version } = await createInstaller({ directory: cache, env: process.env }).install(agent, {});
const model = await startModelServer();
Object.assign(process.env, {
  HOME: home,
  IS_SANDBOX: "1",
  ANTHROPIC_API_KEY: "key",
  ANTHROPIC_BASE_URL: model.url,
  OPENAI_API_KEY: "key",
  OPENAI_BASE_URL: `${model.url}/v1`,
  [`SANDBOX_AGENT_${agent.toUpperCase().replace(/[^A-Z0-9]/g, "_")}_PATH`]: wrapper(),
});

const daemon = await startDaemon({ ...defaultOptions, port: 0, dataDir: join(place, "data"), agentIdleMs: 0 });
try {
  await play();
} finally {
  await daemon.stop();
  await model.close();
  keep();
  rmSync(place, { recursive: true, force: true });
}

async function play(): Promise<void> {
  const client = await SandboxAgent.connect({ baseUrl: daemon.url });
  const session = await client.createSession({ agent: agent ?? "", directory, permissionMode });
  session.on("permission", (request) => request.reply(reply));
  session.on("question", (request) =>
    reply === "reject" ? request.reject() : request.reply([[request.options[0] ?? "yes"]]),
  );
  const abortAfter = values["abort-after-ms"];
  for (const message of messages) {
    if (abortAfter) setTimeout(() => session.abort(), Number(abortAfter));
    for await (const event of session.prompt(message)) {
      if (event.type === "turn.ended") console.log(`${message} → ${event.data.metadata?.reason}`);
      if (event.type === "error") console.log(`error ${event.data.code}: ${event.data.message}`);
    }
  }
  await client.dispose();
}

/** A program in the place of the agent's. Descriptor 3 carries keys and must reach the agent. */
function wrapper(): string {
  const path = join(place, "wrapper");
  const words = [process.execPath, join(import.meta.dirname, "record/between.ts"), join(recordings, name ?? "")];
  const quoted = (word: string) => `'${word.replaceAll("'", "'\\''")}'`;
  const text = `#!/bin/sh\n[ -e /proc/self/fd/3 ] && three=1 || three=0\nexec ${words.map(quoted).join(" ")} $three ${command.map(quoted).join(" ")} "$@"\n`;
  writeFileSync(path, text, { mode: 0o755 });
  return path;
}

/** Cleaned of everything that differs between machines. Processes that were only asked what they offer are left out. */
function keep(): void {
  const folder = join(import.meta.dirname, "..", `test/fixtures/${agent}`);
  mkdirSync(folder, { recursive: true });
  const texts = readdirSync(recordings)
    .sort((a, b) => a.length - b.length || a.localeCompare(b))
    .map((file) => readFileSync(join(recordings, file), "utf8"))
    .filter((text) => messages.some((message) => text.includes(JSON.stringify(message).slice(1, -1))));
  for (const [index, text] of texts.entries()) {
    const file = join(folder, `${name}${index === 0 ? "" : `.${index + 1}`}.jsonl`);
    const cleaned = text
      .replaceAll(directory, "/workspace")
      .replaceAll(home, "/home/user")
      .replaceAll(place, "/tmp/lab")
      .replaceAll(new URL(model.url).port, "8080");
    // The recordings of Codex see it from the client: what goes out to the server is `out`.
    const lines = agent === "codex" ? cleaned.replaceAll(/^\{"dir":"(in|out)"/gm, otherWay) : cleaned;
    writeFileSync(file, lines);
    console.log(`${file}: ${lines.split("\n").length - 1} lines of ${agent} ${version}`);
  }
}

function otherWay(_: string, dir: string): string {
  return `{"dir":"${dir === "in" ? "out" : "in"}"`;
}
