/** Finds files by name or content. */
import type { SearchIn, SearchMatch, SearchResponse } from "@sandbox-agent/schema";
import { openDirectory } from "../directory.ts";
import { rulesAbove } from "../ignore-rules.ts";
import type { Place } from "../place.ts";
import { openFile, piecesOf } from "../read.ts";
import type { Root } from "../root.ts";
import { maxFileBytes, nameTest, shown, textFinder } from "./query.ts";
import { ripgrepMatches } from "./ripgrep.ts";
import { type FoundFile, filesBelow } from "./walk.ts";

export interface Search {
  query: string;
  in: SearchIn;
  limit: number;
  signal: AbortSignal;
}

export async function search(root: Root, place: Place, wanted: Search): Promise<SearchResponse> {
  const matches: SearchMatch[] = [];
  for await (const match of matchesOf(root, place, wanted)) {
    if (wanted.signal.aborted) break;
    if (matches.length === wanted.limit) return { matches, truncated: true };
    matches.push(match);
  }
  return { matches, truncated: false };
}

/**
 * Ripgrep is many times faster on content, but it opens files by path, so a directory could be replaced by a link while it
 * runs. Below an fs root, the search therefore runs in this process.
 */
async function* matchesOf(root: Root, place: Place, wanted: Search): AsyncGenerator<SearchMatch> {
  using directory = openDirectory(place.at, place.path);
  const ripgrep = root.path === "/" && wanted.in === "content" ? Bun.which("rg") : null;
  if (ripgrep) return yield* ripgrepMatches(ripgrep, directory.path, wanted.query, wanted.signal);
  const rules = rulesAbove(root, directory.path);
  const isWanted = nameTest(wanted.query);
  const find = textFinder(wanted.query);
  for await (const file of filesBelow(directory, rules)) {
    if (wanted.signal.aborted) return;
    if (wanted.in === "content") yield* linesIn(file, find);
    else if (isWanted(file.name)) yield { path: file.path };
  }
}

async function* linesIn(file: FoundFile, find: (line: string) => number): AsyncGenerator<SearchMatch> {
  if (file.size > maxFileBytes) return;
  const bytes = await contentOf(file);
  // Like ripgrep and git: a file with a NUL byte is not text.
  if (bytes.includes(0)) return;
  const text = bytes.toString();
  if (find(text) === -1) return;
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const column = find(line) + 1;
    if (column > 0) yield { path: file.path, line: index + 1, column, text: shown(line) };
  }
}

async function contentOf(file: FoundFile): Promise<Buffer> {
  try {
    using opened = openFile(file);
    return Buffer.concat(await Array.fromAsync(piecesOf(opened, 0, opened.size)));
  } catch {
    return Buffer.alloc(0);
  }
}
