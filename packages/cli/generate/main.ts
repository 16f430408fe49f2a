/** `npm run generate`: writes `docs/reference/cli.md` from the commands of the program. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createProgram } from "../src/program.ts";
import { cliReference } from "./reference.ts";

writeFileSync(join(import.meta.dirname, "../../../docs/reference/cli.md"), cliReference(await createProgram()));
