/** The mark of ownership that every process of a daemon carries. */
import type { DaemonOptions } from "./options.ts";

/** The same for every run on one data directory, so that a new run knows the leftovers of the last. */
export function ownerOf({ ephemeral, dataDir }: Pick<DaemonOptions, "ephemeral" | "dataDir">): string {
  if (ephemeral) return crypto.randomUUID();
  return new Bun.CryptoHasher("sha256").update(dataDir).digest("hex").slice(0, 32);
}
