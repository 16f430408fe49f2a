/**
 * The program that Amp runs before a tool call. It asks the daemon over a socket and answers with its exit code: 0 allows the
 * call, 2 rejects it with the reason on stderr. Without a daemon it rejects. Its source is in this file, because the daemon
 * may be a single executable; it runs on the same runtime as the daemon.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { ProblemError } from "@sandbox-agent/schema";
import { placeFile, quoted } from "../../install/program-file.ts";

/** The variable with the path of the gate's socket. */
export const gateVariable = "SANDBOX_AGENT_AMP_GATE";

const noDaemon = "the daemon that decides about permissions is not running";

const askText = `import { connect } from "node:net";

function reject(message) {
  process.stderr.write(message);
  process.exit(2);
}

const address = process.env.${gateVariable};
if (!address) reject(${JSON.stringify(noDaemon)});
const { AGENT_TOOL_NAME: tool = "", AGENT_TOOL_USE_ID: toolUseId = null } = process.env;
const input = JSON.parse((await Bun.stdin.text()) || "null");
let answer = "";
connect(address)
  .on("connect", function () {
    this.write(JSON.stringify({ tool, toolUseId, input }) + "\\n");
  })
  .on("data", (chunk) => {
    answer += chunk;
  })
  .on("error", () => reject(${JSON.stringify(noDaemon)}))
  .on("close", () => {
    if (answer === "") reject(${JSON.stringify(noDaemon)});
    const { allow, message } = JSON.parse(answer);
    if (allow !== true) reject(String(message));
    process.exit(0);
  });
`;

/** Leaves the workspace first, so that a runtime configuration in it does not affect the gate. */
function startText(directory: string): string {
  return `#!/bin/sh
cd ${quoted(directory)} || exit 2
BUN_BE_BUN=1 exec ${quoted(process.execPath)} ${quoted(join(directory, "ask.mjs"))}
`;
}

/** Writes the program, checks that it runs, and returns its path. */
export async function installGate(directory: string): Promise<string> {
  const program = join(directory, "gate");
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    placeFile(join(directory, "ask.mjs"), askText, 0o600);
    placeFile(program, startText(directory), 0o700);
    await tryOut(program);
    return program;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ProblemError(
      "mode_not_supported",
      `the program that requests permissions cannot be installed in ${directory} (${reason}), and without it Amp would run every tool; make the data directory writable and executable, or use permissionMode bypass`,
      { agent: "amp" },
    );
  }
}

/** Without a daemon the program must reject the call with its own message. That shows that it runs and fails closed. */
async function tryOut(program: string): Promise<void> {
  const run = Bun.spawn([program], { env: {}, stdin: "ignore", stdout: "ignore", stderr: "pipe" });
  const stderr = await new Response(run.stderr).text();
  if ((await run.exited) !== 2 || stderr !== noDaemon) throw new Error(`it does not run: ${stderr.trim()}`);
}
