/** Entry of the `sandbox-agent` program, started by bin/sandbox-agent. */
import { run } from "./run.ts";

// A stopped server may leave timers or sockets behind; they must not keep the process.
process.exit(await run(process.argv.slice(2)));
