/** The daemon as a library: start it, stop it. */
export { type DaemonOptions, defaultDataDir, defaultOptions } from "./config/options.ts";
export { type Daemon, type StartedDaemon, startDaemon } from "./daemon.ts";
export { runDaemon } from "./run.ts";
export { DirectoryInUse } from "./store/lock.ts";
export { version } from "./version.ts";
