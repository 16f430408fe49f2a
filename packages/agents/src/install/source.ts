/** What a place to install from is given and does. */
import type { Recipe } from "./manifest.ts";
import type { Platform } from "./platform.ts";
import type { Environment } from "./variables.ts";

/** An agent to be installed on this machine. */
export interface Wanted {
  agent: string;
  recipe: Recipe;
  platform: Platform;
  env: Environment;
}

export interface Fetch extends Wanted {
  version: string;
  /** An empty folder to put everything in. */
  folder: string;
  /** Take nothing from a cache: it may be what is broken. */
  fresh: boolean;
  report(phase: "downloading" | "unpacking", message: string, fraction?: number): void;
}

/** Every failure is a ProblemError. Only recipes that it offers may be asked for. */
export interface Source {
  offers(recipe: Recipe): boolean;
  /** The newest version there is. */
  latest(wanted: Wanted): Promise<string>;
  fetch(fetch: Fetch): Promise<void>;
  /** Where `fetch` puts the program, below the folder; null when it is not there. */
  executable(recipe: Recipe, platform: Platform, folder: string): string | null;
}
