/**
 * The local copy of the public ACP registry: the snapshot that ships with the program, or a newer one that was fetched. So the
 * agents of the registry can be listed without a network. An invalid document never replaces a valid one.
 */
import { type Infer, lazyObject, ProblemError } from "@sandbox-agent/schema";
import * as z from "zod";
import { DownloadError, type DownloadRules, fetchText } from "../install/download.ts";
import { InsecureAddress } from "../install/secure-fetch.ts";
import type { Environment } from "../install/variables.ts";
import { parseJson, readJson } from "../json.ts";
import { RegistryDocument } from "./registry-document.ts";
import shipped from "./registry-snapshot.json" with { type: "json" };
import { replaceFile } from "./replace-file.ts";

const RegistryCopy = lazyObject(() => ({ url: z.string(), date: z.iso.datetime(), document: RegistryDocument() }));
export type RegistryCopy = Infer<typeof RegistryCopy>;

/** The URL that a refresh uses unless the request has another one. */
export function registryUrl(env: Environment): string {
  return env.SANDBOX_AGENT_ACP_REGISTRY_URL || shipped.url;
}

/** The newer of the fetched file and the shipped snapshot. An invalid file is ignored. */
export function readRegistry(file: string | null): RegistryCopy {
  const snapshot = RegistryCopy().parse(shipped);
  const fetched = file === null ? null : RegistryCopy().safeParse(readJson(file)).data;
  return fetched && fetched.date > snapshot.date ? fetched : snapshot;
}

/** Fetches the registry and writes it to `file`. Throws ProblemError if that fails; the file then stays as it is. */
export async function fetchRegistry(url: string, file: string | null, rules: DownloadRules): Promise<RegistryCopy> {
  const document = parseDocument(url, await fetchDocument(url, rules));
  const copy: RegistryCopy = { url, date: new Date().toISOString(), document };
  if (file !== null) replaceFile(file, `${JSON.stringify(copy)}\n`);
  return copy;
}

async function fetchDocument(url: string, rules: DownloadRules): Promise<string> {
  try {
    return await fetchText(url, rules);
  } catch (error) {
    if (error instanceof InsecureAddress) throw refreshProblem(error.message);
    if (!(error instanceof DownloadError)) throw error;
    throw refreshProblem(`${error.message}; check the network, or pass the URL of a mirror`);
  }
}

function parseDocument(url: string, text: string): RegistryDocument {
  const parsed = RegistryDocument().safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const reason = issue ? `${issue.path.join(".") || "the document"}: ${issue.message}` : "it is empty";
  throw refreshProblem(
    `${url} is not a valid ACP registry (${reason}); the current one stays in use. Pass another URL`,
  );
}

function refreshProblem(message: string): ProblemError {
  return new ProblemError("registry_refresh_failed", message);
}
