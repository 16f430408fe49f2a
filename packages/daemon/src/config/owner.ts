/** The owner id that marks every process of a daemon. */
import type { DaemonOptions } from "./options.ts";

/** The same for every run on a data directory, so that a new run finds processes that the last one left behind. */
export function ownerOf({ ephemeral, dataDir }: Pick<DaemonOptions, "ephemeral" | "dataDir">): string {
  if (ephemeral) return crypto.randomUUID();
  return new Bun.CryptoHasher("sha256").update(dataDir).digest("hex").slice(0, 32);
}
