/** `npm run generate`: writes `docs/reference/http.md` from the operations table. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { httpReference } from "./http-reference.ts";

const path = join(import.meta.dirname, "../../../docs/reference/http.md");
mkdirSync(dirname(path), { recursive: true });
writeFileSync(path, httpReference());
