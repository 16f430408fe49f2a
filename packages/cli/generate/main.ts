/** `npm run generate`: brings the README's list of commands up to date. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createProgram } from "../src/program.ts";
import { withCommands } from "./readme.ts";

const readme = join(import.meta.dirname, "../../../README.md");
writeFileSync(readme, withCommands(readFileSync(readme, "utf8"), await createProgram()));
