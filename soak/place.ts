/** The environment of a run: a directory, a small disk for the daemon's data, and a clock that can be changed. */
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Inside the checkout: the sandboxes of agents do not work in the system's temporary directory. */
const cache = join(import.meta.dirname, "../node_modules/.cache/sandbox-agent");
const diskSize = "160m";
const ballastStep = new Uint8Array(1024 * 1024);
const clockLibraries = ["x86_64", "aarch64"].map((cpu) => `/usr/lib/${cpu}-linux-gnu/faketime/libfaketime.so.1`);

export interface Place {
  root: string;
  home: string;
  dataDir: string;
  /** Null where mounting is not allowed. */
  disk: SmallDisk | null;
  /** Null without libfaketime. `env` is for the daemon. Only the date changes; timers are not affected. */
  clock: { env: Record<string, string>; jump(seconds: number): void } | null;
  remove(): void;
}

export interface SmallDisk {
  readonly isFull: boolean;
  /** How often it has been filled. */
  readonly fills: number;
  fill(): void;
  free(): void;
}

export function createPlace(): Place {
  mkdirSync(cache, { recursive: true });
  const root = mkdtempSync(join(cache, "soak-"));
  const [home, dataDir] = [join(root, "home"), join(root, "data")];
  mkdirSync(home);
  mkdirSync(dataDir);
  const disk = mountSmallDisk(dataDir);
  return {
    root,
    home,
    dataDir,
    disk,
    clock: movableClock(join(root, "clock")),
    remove() {
      if (disk) Bun.spawnSync(["umount", "-l", dataDir]);
      rmSync(root, { recursive: true, force: true });
    },
  };
}

function mountSmallDisk(directory: string): SmallDisk | null {
  const mount = Bun.spawnSync(["mount", "-t", "tmpfs", "-o", `size=${diskSize}`, "tmpfs", directory]);
  if (!mount.success) return null;
  const ballast = join(directory, "ballast");
  let isFull = false;
  let fills = 0;
  return {
    get isFull() {
      return isFull;
    },
    get fills() {
      return fills;
    },
    fill() {
      isFull = true;
      fills += 1;
      try {
        for (;;) appendFileSync(ballast, ballastStep);
      } catch (error) {
        if (!(error instanceof Error && "code" in error && error.code === "ENOSPC")) throw error;
      }
    },
    free() {
      rmSync(ballast, { force: true });
      isFull = false;
    },
  };
}

function movableClock(file: string): Place["clock"] {
  const library = clockLibraries.find(existsSync);
  if (!library) return null;
  const jump = (seconds: number) => writeFileSync(file, `${seconds < 0 ? "" : "+"}${seconds}\n`);
  jump(0);
  const env = {
    LD_PRELOAD: library,
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_CACHE_DURATION: "1",
    FAKETIME_DONT_FAKE_MONOTONIC: "1",
  };
  return { env, jump };
}
