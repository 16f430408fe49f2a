/** The interface of sources to install from. */
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
  /** An empty folder to install into. */
  folder: string;
  /** Do not use a cache, because it may be corrupt. */
  fresh: boolean;
  report(phase: "downloading" | "unpacking", message: string, fraction?: number): void;
}

/** Every failure is a ProblemError. Must only be called with recipes that it offers. */
export interface Source {
  offers(recipe: Recipe): boolean;
  /** The newest version. */
  latest(wanted: Wanted): Promise<string>;
  fetch(fetch: Fetch): Promise<void>;
  /** The path of the program below the folder that `fetch` has filled; null if there is none. */
  executable(recipe: Recipe, platform: Platform, folder: string): string | null;
}
