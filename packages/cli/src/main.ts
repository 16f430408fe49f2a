/** Entry of the `sandbox-agent` program, started by bin/sandbox-agent. */
import { run } from "./run.ts";

// Timers or sockets of a stopped server must not keep the process alive.
process.exit(await run(process.argv.slice(2)));
