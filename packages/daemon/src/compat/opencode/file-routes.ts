/** Searches, lists and reads files of the directory that a client works in. */
import { isUtf8 } from "node:buffer";
import { ProblemError, type SearchIn, type SearchMatch } from "@sandbox-agent/schema";
import { openDirectory } from "../../files/directory.ts";
import { listEntries } from "../../files/entries.ts";
import { isIgnored, rulesAbove, withOwnRules } from "../../files/ignore-rules.ts";
import { atPlace, join, locate } from "../../files/place.ts";
import { openFile, piecesOf } from "../../files/read.ts";
import { search } from "../../files/search/search.ts";
import { jsonText } from "../../http/json-text.ts";
import { jsonList } from "../../slices.ts";
import type { OpenCodeContext } from "./context.ts";
import { statusOf } from "./git-status.ts";
import type { OpenCodeCall, OpenCodeRoutes } from "./router.ts";
import { projectId } from "./session-view.ts";
import type { FileContent, FileNode, FileStatus } from "./wire.ts";

const defaultLimit = 100;
const maxLimit = 10_000;
/** The content is sent as a single JSON string. */
const maxContentBytes = 20 * 1024 * 1024;

export function fileRoutes({
  root,
  privateFiles,
  onUnusableRepository,
}: Pick<OpenCodeContext, "root" | "privateFiles" | "onUnusableRepository">): OpenCodeRoutes {
  /** Paths of files in the directory. Directories themselves are not searched for. */
  async function names(call: OpenCodeCall, directory: string): Promise<string[]> {
    const matches = await find(call, directory, call.query.get("query") ?? "", "names");
    return call.query.get("type") === "directory" ? [] : matches.map(({ path }) => path);
  }

  /** Matches, with paths relative to the directory. */
  async function find(call: OpenCodeCall, directory: string, query: string, where: SearchIn): Promise<SearchMatch[]> {
    const { signal } = call;
    return atPlace(root, directory, { follow: true }, async (place) => {
      privateFiles.check(call.principal, place.path, "tree");
      const limit = Math.min(call.limit(defaultLimit), maxLimit);
      const { matches } = await search(root, place, { query, in: where, limit, signal });
      return matches.map((match) => ({ ...match, path: below(place.path, match.path) }));
    });
  }

  return {
    async "GET /find"(call) {
      const pattern = call.query.get("pattern");
      if (!pattern) throw new ProblemError("invalid_request", "pattern: is required");
      const matches = await find(call, call.directory, pattern, "content");
      return matches.map(({ path, line = 1, column = 1, text = "" }) => {
        const start = column - 1;
        const match = { text: text.slice(start, start + pattern.length) };
        return {
          path: { text: path },
          lines: { text },
          line_number: line,
          absolute_offset: 0,
          submatches: [{ match, start, end: start + match.text.length }],
        };
      });
    },
    "GET /find/file": (call) => names(call, call.directory),
    /** Empty, because there is no language server. */
    "GET /find/symbol": () => [],
    async "GET /api/fs/find"(call) {
      const directory = call.query.get("location[directory]") || call.directory;
      const data = (await names(call, directory)).map((path) => ({ path, type: "file" as const }));
      return { location: { directory, project: { id: projectId, directory } }, data };
    },
    "GET /file"(call): Promise<Response> {
      return atPlace(root, pathOf(call), { follow: true }, async (place) => {
        privateFiles.check(call.principal, place.path, "one");
        using start = locate(root, call.directory, { follow: true });
        using directory = openDirectory(place.at, place.path);
        const rules = withOwnRules(rulesAbove(root, place.path), directory);
        const entries = await listEntries(root, place);
        function* nodes(): Generator<FileNode> {
          for (const { name, path: absolute, entryType: type } of entries) {
            if (type === "other") continue;
            const ignored = name === ".git" || isIgnored(rules, directory.path, name, type === "directory");
            yield { name, path: below(start.path, absolute), absolute, type, ignored };
          }
        }
        return jsonText(await jsonList(nodes()));
      });
    },
    "GET /file/status": (call): Promise<FileStatus[]> =>
      atPlace(root, call.directory, { follow: true }, (place) => statusOf(root, place.path, onUnusableRepository)),
    "GET /file/content"(call): Promise<FileContent> {
      const path = pathOf(call);
      return atPlace(root, path, { follow: true }, async (place) => {
        privateFiles.check(call.principal, place.path, "one");
        using file = openFile(place);
        if (file.size > maxContentBytes)
          throw new ProblemError("invalid_request", `${path} is too large for this request; use GET /v1/fs/file`);
        return contentOf(Buffer.concat(await Array.fromAsync(piecesOf(file, 0, file.size))), path);
      });
    },
  };
}

function contentOf(bytes: Buffer, path: string): FileContent {
  if (isUtf8(bytes) && !bytes.includes(0)) return { type: "text", content: bytes.toString() };
  return { type: "binary", content: bytes.toString("base64"), encoding: "base64", mimeType: Bun.file(path).type };
}

function below(directory: string, path: string): string {
  return path.startsWith(join(directory, "")) ? path.slice(join(directory, "").length) : path;
}

/** The absolute path of the request; the root checks whether it may be accessed. */
function pathOf(call: OpenCodeCall): string {
  const path = call.query.get("path") ?? "";
  if (path.includes("\0")) throw new ProblemError("invalid_request", "path: must not contain a NUL character");
  return path.startsWith("/") ? path : join(call.directory, path);
}
