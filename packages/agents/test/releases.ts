/** A vendor's release server on loopback, with the layout of the real ones, that can be made to fail. */
import { createHash } from "node:crypto";
import { createServer, type Server, type ServerResponse } from "node:http";
import { afterAll } from "vitest";

type Answer = (response: ServerResponse) => void;

export interface Releases {
  url: string;
  /** Requested paths, in order. */
  requests: string[];
  /** Offers a file. */
  put(path: string, content: string | Uint8Array): void;
  answer(path: string, answer: Answer): void;
}

const servers: Server[] = [];
afterAll(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** Stopped when the tests of the file have run. */
export async function startReleases(): Promise<Releases> {
  const answers = new Map<string, Answer>();
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const path = (request.url ?? "").slice(1);
    requests.push(path);
    const answer = answers.get(path) ?? ((response) => response.writeHead(404).end("no such release"));
    answer(response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  servers.push(server);
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    requests,
    put: (path, content) => answers.set(path, (response) => response.end(content)),
    answer: (path, answer) => answers.set(path, answer),
  };
}

/** A program that answers `--version`. What is tested is how it gets here, not what it does. */
export function program(version: string): string {
  return `#!/bin/sh\necho "${version} (Claude Code)"\n`;
}

/** Offers a version of claude; `checksum` unless the true one. */
export function putClaude(
  releases: Releases,
  version: string,
  content = program(version),
  checksum = sha256(content),
): void {
  const builds = ["linux-x64", "linux-arm64", "linux-x64-musl", "linux-arm64-musl", "darwin-x64", "darwin-arm64"];
  const platforms = Object.fromEntries(builds.map((build) => [build, { checksum, size: content.length }]));
  releases.put(`${version}/manifest.json`, JSON.stringify({ version, platforms }));
  for (const build of builds) releases.put(`${version}/${build}/claude`, content);
}

export function sha256(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}
