/** The daemon as a library: start it, stop it. */
export { type DaemonOptions, defaultDataDir, defaultOptions } from "./config/options.ts";
export { type Daemon, startDaemon } from "./daemon.ts";
export { DirectoryInUse } from "./store/lock.ts";
export { version } from "./version.ts";
