/**
 * Our copy of the public ACP registry: the snapshot that ships with the program, or a newer one that was fetched. Agents are
 * known without a network, and an invalid document never replaces a valid one.
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

/** The default URL of the registry. */
export function registryUrl(env: Environment): string {
  return env.SANDBOX_AGENT_ACP_REGISTRY_URL || shipped.url;
}

/** The newer of the fetched file and the shipped snapshot. An invalid file is ignored. */
export function readRegistry(file: string | null): RegistryCopy {
  const snapshot = RegistryCopy().parse(shipped);
  const fetched = file === null ? null : RegistryCopy().safeParse(readJson(file)).data;
  return fetched && fetched.date > snapshot.date ? fetched : snapshot;
}

/** Throws ProblemError; then nothing is changed. */
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
    throw refreshProblem(`${error.message}; check the network, or give the url of a mirror`);
  }
}

function parseDocument(url: string, text: string): RegistryDocument {
  const parsed = RegistryDocument().safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const fault = issue ? `${issue.path.join(".") || "the document"}: ${issue.message}` : "it is empty";
  throw refreshProblem(`${url} is not a valid ACP registry (${fault}); the current one stays in use. Pass another url`);
}

function refreshProblem(message: string): ProblemError {
  return new ProblemError("registry_refresh_failed", message);
}
