/** The executable of this platform, and a way to run it without anything of this machine but the npm configuration. */
import { copyFileSync, existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { buildBinary } from "../../scripts/release/binary.ts";
import { hostTarget } from "../../scripts/release/platforms.ts";

export async function hostBinary(directory?: string): Promise<string> {
  const host = hostTarget();
  if (!host) throw new Error(`there is no release for ${process.platform} ${process.arch}`);
  return buildBinary(host, directory);
}

/** Settings that are needed to reach a registry: its URL, proxies, certificates. */
const registryVariables = /^(npm_config_\w*registry|bun_config_registry|\w+_proxy|ssl_cert_\w+|node_extra_ca_certs)$/i;

/** An empty PATH, and a home directory with only the npm configuration. */
export function bareEnvironment(home: string): Record<string, string> {
  const npmrc = join(homedir(), ".npmrc");
  if (existsSync(npmrc)) copyFileSync(npmrc, join(home, ".npmrc"));
  const kept = Object.entries(process.env).flatMap(([name, value]) =>
    value !== undefined && registryVariables.test(name) ? [[name, value] as const] : [],
  );
  return { ...Object.fromEntries(kept), HOME: home, PATH: "" };
}

export interface Server {
  url: string;
  pid: number;
  /** Milliseconds until it printed its URL. */
  startMs: number;
}

/** `server` on a free port, killed after the test. */
export async function startServer(command: string[], env: Record<string, string>, cwd: string): Promise<Server> {
  const started = performance.now();
  const child = Bun.spawn(command, { env, cwd, stdin: "ignore", stdout: "pipe", stderr: "inherit" });
  onTestFinished(async () => {
    child.kill("SIGTERM");
    await child.exited;
  });
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of child.stdout) {
    text += decoder.decode(chunk, { stream: true });
    const [, url] = /listening on (http:\S+)/.exec(text) ?? [];
    if (url) return { url, pid: child.pid, startMs: performance.now() - started };
  }
  throw new Error(`the server exited before it was listening; output: ${text}`);
}
