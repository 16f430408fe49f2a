/** Everything `npm run generate` writes for the SDK, by path. A test compares it with what is there. */
import { join } from "node:path";
import packageJson from "../package.json" with { type: "json" };
import { apiDocument, methodsOf } from "./methods.ts";
import { sdkReference } from "./reference.ts";
import { apiTypes, methodsFile, operationTable } from "./typescript.ts";

const generated = join(import.meta.dirname, "../src/generated");
const reference = join(import.meta.dirname, "../../../docs/reference/sdk.md");

export async function generatedFiles(): Promise<Map<string, string>> {
  const document = apiDocument(packageJson.version);
  const methods = methodsOf(document);
  return new Map([
    [join(generated, "api.ts"), await apiTypes(document)],
    [join(generated, "operation-table.ts"), operationTable(methods)],
    [join(generated, "methods.ts"), methodsFile(methods)],
    [reference, sdkReference(methods)],
  ]);
}
