import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { cli, startServer, temporaryDirectory } from "../../test/cli-process.ts";

test("ends with the exit code of OpenCode", async () => {
  const program = join(temporaryDirectory(), "opencode");
  writeFileSync(program, '#!/bin/sh\nif [ "$1" = --version ]; then echo 1.2.3; else exit 7; fi\n', { mode: 0o755 });
  const server = await startServer(["--no-token"]);
  const { code, stderr } = await cli(["opencode", "--port", String(server.port), "--no-token"], {
    env: { SANDBOX_AGENT_OPENCODE_PATH: program, XDG_DATA_HOME: temporaryDirectory() },
  });
  expect({ code, stderr }).toEqual({ code: 7, stderr: "" });
  await server.stop();
});
