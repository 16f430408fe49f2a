import { expect, test } from "vitest";
import { nativeServers } from "./mcp.ts";

test("a local server may be written in several ways", () => {
  const servers = nativeServers(
    {
      plain: { type: "local", command: "server", args: ["--fast"] },
      list: {
        type: "stdio",
        command: ["server", "--a"],
        args: ["--b"],
        environment: { A: "1", B: "1" },
        env: { B: "2" },
      },
      elsewhere: { type: "stdio", command: "server", cwd: "/data", timeout: 1500.5 },
    },
    {},
  );
  expect(servers).toEqual({
    plain: { type: "stdio", command: "server", args: ["--fast"], env: {} },
    list: { type: "stdio", command: "server", args: ["--a", "--b"], env: { A: "1", B: "2" } },
    elsewhere: {
      type: "stdio",
      command: "/bin/sh",
      args: ["-c", 'cd "$0" && exec "$@"', "/data", "server"],
      env: {},
      timeout: 1501,
    },
  });
});

test("a remote server gets headers and tokens from the environment", () => {
  const servers = nativeServers(
    {
      one: {
        type: "http",
        url: "http://localhost/mcp",
        headers: { "X-Plain": "p" },
        envHttpHeaders: { "X-Team": "TEAM" },
        bearerTokenEnvVar: "TOKEN",
      },
      old: { type: "remote", url: "http://localhost/sse", transport: "sse", envHeaders: { "X-None": "MISSING" } },
    },
    { TEAM: "blue", TOKEN: "t" },
  );
  expect(servers).toEqual({
    one: {
      type: "http",
      url: "http://localhost/mcp",
      headers: { "X-Plain": "p", "X-Team": "blue", Authorization: "Bearer t" },
    },
    old: { type: "sse", url: "http://localhost/sse", headers: {} },
  });
});

test("a server that is switched off is left out", () => {
  expect(nativeServers({ off: { type: "local", command: "server", enabled: false } }, {})).toEqual({});
});
