/** Files as a resource. */
import { homedir } from "node:os";
import { ProblemError } from "@sandbox-agent/schema";
import { pack } from "../fs/archive/pack.ts";
import { openDirectory } from "../fs/directory.ts";
import { listEntries, statOf } from "../fs/entries.ts";
import { move } from "../fs/move.ts";
import { atPlace, ensureDirectory, join, type LocateOptions, locate, namesIn, type Place } from "../fs/place.ts";
import { namingProblems } from "../fs/problem.ts";
import { openFile } from "../fs/read.ts";
import { remove } from "../fs/remove.ts";
import { search } from "../fs/search/search.ts";
import { writeFile } from "../fs/write.ts";
import { jsonList } from "../slices.ts";
import type { HttpContext } from "./context.ts";
import { fileResponse } from "./file-response.ts";
import { jsonText } from "./json-text.ts";
import type { Handlers } from "./router.ts";

interface PathQuery {
  path?: string;
  session_id?: string;
}

const defaultLimit = 100;
const maxLimit = 10_000;

export function fileHandlers({ root, sessions }: Pick<HttpContext, "root" | "sessions">) {
  /** The absolute path that is meant. */
  function absolute({ path = ".", session_id }: PathQuery): string {
    const home = root.path === "/" ? homedir() : root.path;
    const start = session_id === undefined ? home : (sessions.get(session_id).info().directory ?? process.cwd());
    if (path.startsWith("/")) return path;
    if (namesIn(path).includes(".."))
      throw new ProblemError("invalid_request", `a relative path must not contain \`..\`: ${path}`);
    return join(start, path);
  }

  /** Does the work at the place that is meant, which is held meanwhile. */
  function at<T>(query: PathQuery, options: LocateOptions, work: (place: Place) => T | Promise<T>): Promise<T> {
    return atPlace(root, absolute(query), options, work);
  }

  return {
    listFsEntries: ({ query }) =>
      at(query, { follow: true }, async (place) => jsonText(await jsonList(await listEntries(root, place)))),
    readFsFile: ({ query, request }) =>
      at(query, { follow: true }, (place) => fileResponse(request, place.path, openFile(place))),
    writeFsFile: ({ query, request }) =>
      at(query, { follow: true, create: true }, async (place) => {
        const { headers, body } = request;
        const conditions = { ifMatch: headers.get("if-match"), ifNoneMatch: headers.get("if-none-match") };
        const { etag, ...written } = await writeFile(place, body ?? [], conditions);
        return Response.json(written, etag === null ? {} : { headers: { etag } });
      }),
    statFs: ({ query }) => at(query, { follow: true }, statOf),
    mkdirFs: ({ query }) =>
      at(query, { follow: true, create: true }, (place) => {
        ensureDirectory(place)[Symbol.dispose]();
        return { path: place.path };
      }),
    moveFs({ query, body }) {
      const source = absolute({ ...query, path: body.from });
      const target = absolute({ ...query, path: body.to });
      return namingProblems(`${source} or ${target}`, async () => {
        using from = locate(root, source, { follow: false });
        using to = locate(root, target, { follow: false, create: true });
        await move(from, to, body.overwrite ?? false);
        return { from: from.path, to: to.path };
      });
    },
    deleteFsEntry: ({ query }) =>
      at(query, { follow: false }, async (place) => {
        await remove(place, query.recursive ?? false);
        return { path: place.path };
      }),
    async uploadFsBatch({ query, request }) {
      const path = absolute(query);
      // It needs the streams of Node, which take longer to load than the rest of this API.
      const { unpack } = await import("../fs/archive/unpack.ts");
      return namingProblems(path, () => unpack(root, path, request.body ?? new Blob().stream()));
    },
    downloadFsDirectory: ({ query, request }) =>
      at(query, { follow: true }, (place) => {
        const directory = openDirectory(place.at, place.path);
        const headers = { "content-type": "application/gzip", "content-disposition": attachment(directory.path) };
        if (request.method !== "HEAD") return new Response(pack(directory), { headers });
        directory[Symbol.dispose]();
        return new Response(null, { headers });
      }),
    searchFs: ({ query, request: { signal } }) =>
      at(query, { follow: true }, (place) => {
        const limit = Math.min(query.limit ?? defaultLimit, maxLimit);
        return search(root, place, { query: query.query, in: query.in ?? "names", limit, signal });
      }),
  } satisfies Partial<Handlers>;
}

/** The name of the archive, in the form that holds any character. */
function attachment(path: string): string {
  const name = namesIn(path).at(-1) ?? "root";
  return `attachment; filename*=UTF-8''${encodeURIComponent(`${name}.tar.gz`).replace(/['()*]/g, percent)}`;
}

function percent(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}
