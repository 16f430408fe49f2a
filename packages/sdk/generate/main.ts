/** `npm run generate`: writes the generated part of the SDK and `docs/reference/sdk.md` from the API. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { generatedFiles } from "./files.ts";

for (const [path, text] of await generatedFiles()) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
