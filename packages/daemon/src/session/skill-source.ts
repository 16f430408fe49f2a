/** Checks the address and the name of a skill source before they are used as a path or a host. */
import { basename, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { ProblemError, type SkillSource } from "@sandbox-agent/schema";

/** Where skills are stored and how they may be fetched. */
export interface SkillStore {
  directory: string;
  /** Whether to fetch over plain http:// and git:// from other machines. */
  allowPlain: boolean;
}

export type GitPlace = { path: string } | { url: string; protocols: string[] };

/** A repository on this machine, or one that git fetches. */
export function gitPlaceOf(source: SkillSource, directory: string, { allowPlain }: SkillStore): GitPlace {
  const { type, source: text } = source;
  if (hasControlCharacters(text)) throw invalid(source, "it has control characters");
  if (type === "github") {
    if (!isGithubName(text)) throw invalid(source, "it is not owner/repository");
    return { url: `https://github.com/${text}.git`, protocols: ["https"] };
  }
  if (/^(\/|\.\.?\/)/.test(text)) return { path: resolve(directory, text) };
  const protocol = /^([a-z][a-z0-9+.-]*):\/\//i.exec(text)?.[1]?.toLowerCase();
  if (protocol === "file") return { path: pathIn(source) };
  // ssh would parse such a host or user as an option.
  if (/^([a-z][a-z0-9+.-]*:\/\/)?([^/@]*@)?-|^-/i.test(text)) throw invalid(source, "its host begins with a dash");
  if (protocol === "https" || protocol === "ssh") return { url: text, protocols: ["https", "ssh"] };
  if (protocol === "http" || protocol === "git") {
    if (allowPlain) return { url: text, protocols: ["https", "ssh", "http", "git"] };
    if (protocol === "http" && isThisMachine(text)) return { url: text, protocols: ["http"] };
    throw invalid(
      source,
      `${protocol}:// is not encrypted, so it could be changed in transit; use https or ssh, or start the server with --allow-unverified-downloads`,
    );
  }
  // user@host:path
  if (protocol === undefined && /^[\w][\w.@-]*:[^:]/.test(text)) return { url: text, protocols: ["ssh"] };
  throw invalid(
    source,
    "it is neither an https:// or ssh:// address, nor user@host:path, nor a path that begins with /",
  );
}

/** The branch, tag or commit of a source. */
export function refOf(source: SkillSource): string {
  const { ref = "HEAD" } = source;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are not allowed in a ref.
  if (!/^[^-+/.][^\x00-\x20\x7f~^:?*[\\]*$/.test(ref) || /\.\.|@\{|\/\/|\/\.|\.lock$|\/$/.test(ref))
    throw invalid(source, `"${ref}" is not the name of a branch or tag, nor a commit`);
  return ref;
}

/** The folder name of a source: the last part of its address. */
export function folderOf(source: SkillSource, endings: RegExp): string {
  const { source: text } = source;
  const path = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? (URL.parse(text)?.pathname ?? text) : text;
  const name = basename(path.replace(/^[\w.@-]+:/, "")).replace(endings, "");
  if (!isFolderName(name) || name.startsWith("."))
    throw invalid(source, "its last part cannot be used as a folder name");
  return name;
}

export function isFolderName(name: string): boolean {
  return !/^\.{0,2}$|\//.test(name) && !hasControlCharacters(name);
}

export function invalid(source: SkillSource, message: string): ProblemError {
  return new ProblemError("invalid_request", `skill source ${source.source}: ${message}`);
}

function isGithubName(text: string): boolean {
  const names = text.split("/");
  return names.length === 2 && names.every((name) => /^[\w.-]+$/.test(name) && !/^(-|\.{1,2}$)/.test(name));
}

function pathIn(source: SkillSource): string {
  try {
    return fileURLToPath(source.source);
  } catch {
    throw invalid(source, "it is not a local path");
  }
}

function isThisMachine(address: string): boolean {
  const hostname = URL.parse(address)?.hostname ?? "";
  return hostname === "localhost" || hostname === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

function hasControlCharacters(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it matches.
  return /[\x00-\x1f\x7f]/.test(text);
}
