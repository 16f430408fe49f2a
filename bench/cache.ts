/** Cache for what takes long to build or download, and for the data of a run. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";

export const cache = join(import.meta.dirname, "../node_modules/.cache/sandbox-agent");
mkdirSync(cache, { recursive: true });
