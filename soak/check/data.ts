/** After all sessions are deleted, no data of them may be left on disk, even if the daemon was killed in between. */
import { Database } from "bun:sqlite";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Ledger } from "../ledger.ts";

const tables = ["sessions", "events", "messages", "checkpoints"];
const directories = ["checkpoints", "attachments"];

/** The daemon must have stopped. */
export function checkData(ledger: Ledger, dataDir: string): void {
  const database = new Database(join(dataDir, "events.db"), { readonly: true });
  for (const table of tables) {
    const rows = database.query<{ count: number }, []>(`SELECT count(*) AS count FROM ${table}`).get()?.count;
    if (rows !== 0) ledger.violate("data", `${rows} rows are left in ${table}`);
  }
  database.close();
  for (const name of directories) {
    const path = join(dataDir, name);
    const entries = existsSync(path) ? readdirSync(path) : [];
    if (entries.length > 0)
      ledger.violate("data", `${entries.length} entries are left in ${name}, ${entries[0]} first`);
  }
}
