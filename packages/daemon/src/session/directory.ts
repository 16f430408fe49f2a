/** The working directory of a session. */
import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { ProblemError } from "@sandbox-agent/schema";

/** The directory as an absolute path; the daemon's own when none is given. */
export async function requireDirectory(directory: string | null): Promise<string> {
  const path = resolve(directory ?? ".");
  const found = await stat(path).catch(() => null);
  if (found?.isDirectory()) return path;
  const cause = found ? "is not a directory" : "does not exist";
  throw new ProblemError("invalid_request", `directory ${path} ${cause}; create it first`);
}
