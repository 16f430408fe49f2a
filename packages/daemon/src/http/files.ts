/** Files as a resource. */
import { homedir } from "node:os";
import { ProblemError } from "@sandbox-agent/schema";
import { requireSession } from "../access/authorize.ts";
import type { Principal } from "../access/principal.ts";
import { sessionRoot } from "../access/session-root.ts";
import { pack } from "../files/archive/pack.ts";
import { openDirectory } from "../files/directory.ts";
import { listEntries, statOf } from "../files/entries.ts";
import { move } from "../files/move.ts";
import { atPlace, ensureDirectory, join, type LocateOptions, locate, namesIn, type Place } from "../files/place.ts";
import { namingProblems } from "../files/problem.ts";
import { openFile } from "../files/read.ts";
import { remove } from "../files/remove.ts";
import type { Root } from "../files/root.ts";
import { search } from "../files/search/search.ts";
import { writeFile } from "../files/write.ts";
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

interface FileCall {
  query: PathQuery;
  principal: Principal;
}

type Context = Pick<HttpContext, "root" | "sessions" | "privateFiles">;

export function fileHandlers({ root: everything, sessions, privateFiles }: Context) {
  /** The root for the principal: a token for some sessions can access only the directory of the given session. */
  function rootFor({ query: { session_id, path }, principal }: FileCall): Root {
    if (principal.sessions === null) return everything;
    if (session_id !== undefined) requireSession(principal, session_id);
    const directories = [...principal.sessions].flatMap((id) => sessions.peek(id)?.directory ?? []);
    const directory =
      session_id === undefined
        ? directories.find((parent) => contains(parent, path))
        : sessions.peek(session_id)?.directory;
    if (directory) return sessionRoot(everything, directory, directories);
    throw new ProblemError("permission_denied", "this token can access only the directories of its sessions");
  }

  /** The absolute path of the request. */
  function absolute({ path = ".", session_id }: PathQuery, root: Root): string {
    const home = root.path === "/" ? homedir() : root.path;
    const start = session_id === undefined ? home : (sessions.get(session_id).info().directory ?? process.cwd());
    if (path.startsWith("/")) return path;
    if (namesIn(path).includes(".."))
      throw new ProblemError("invalid_request", `a relative path must not contain \`..\`: ${path}`);
    return join(start, path);
  }

  /** Runs the work at the requested path, which is held open meanwhile. */
  function at<T>(
    call: FileCall,
    options: LocateOptions & { tree?: boolean },
    work: (place: Place, root: Root) => T | Promise<T>,
  ): Promise<T> {
    const root = rootFor(call);
    return atPlace(root, absolute(call.query, root), options, (place) => {
      privateFiles.check(call.principal, place.path, options.tree ? "tree" : "one");
      return work(place, root);
    });
  }

  return {
    listFsEntries: (call) =>
      at(call, { follow: true }, async (place, root) => jsonText(await jsonList(await listEntries(root, place)))),
    readFsFile: (call) =>
      at(call, { follow: true }, (place) => fileResponse(call.request, place.path, openFile(place))),
    writeFsFile: (call) =>
      at(call, { follow: true, create: true }, async (place) => {
        const { headers } = call.request;
        const conditions = { ifMatch: headers.get("if-match"), ifNoneMatch: headers.get("if-none-match") };
        const { etag, ...written } = await writeFile(place, call.connection.body(), conditions);
        return Response.json(written, etag === null ? {} : { headers: { etag } });
      }),
    statFs: (call) => at(call, { follow: true }, statOf),
    mkdirFs: (call) =>
      at(call, { follow: true, create: true }, (place) => {
        ensureDirectory(place)[Symbol.dispose]();
        return { path: place.path };
      }),
    moveFs(call) {
      const { query, body } = call;
      const root = rootFor({ ...call, query: { ...query, path: body.from } });
      const source = absolute({ ...query, path: body.from }, root);
      const target = absolute({ ...query, path: body.to }, root);
      return namingProblems(`${source} or ${target}`, async () => {
        using from = locate(root, source, { follow: false });
        using to = locate(root, target, { follow: false, create: true });
        for (const { path } of [from, to]) privateFiles.check(call.principal, path, "tree");
        await move(from, to, body.overwrite ?? false);
        return { from: from.path, to: to.path };
      });
    },
    deleteFsEntry: (call) =>
      at(call, { follow: false, tree: true }, async (place) => {
        await remove(place, call.query.recursive ?? false);
        return { path: place.path };
      }),
    async uploadFsBatch(call) {
      const root = rootFor(call);
      const path = absolute(call.query, root);
      await namingProblems(path, async () => {
        using place = locate(root, path, { follow: true, create: true });
        privateFiles.check(call.principal, place.path, "tree");
      });
      // Loaded on demand: it needs Node's streams, which take longer to load than the rest of this API.
      const { unpack } = await import("../files/archive/unpack.ts");
      return namingProblems(path, () => unpack(root, path, call.connection.body()));
    },
    downloadFsDirectory: (call) =>
      at(call, { follow: true, tree: true }, (place) => {
        const directory = openDirectory(place.at, place.path);
        const headers = { "content-type": "application/gzip", "content-disposition": attachment(directory.path) };
        if (call.request.method !== "HEAD") return new Response(pack(directory), { headers });
        directory[Symbol.dispose]();
        return new Response(null, { headers });
      }),
    searchFs: (call) =>
      at(call, { follow: true, tree: true }, (place, root) => {
        const { query, signal } = call;
        const limit = Math.min(query.limit ?? defaultLimit, maxLimit);
        return search(root, place, { query: query.query, in: query.in ?? "names", limit, signal });
      }),
  } satisfies Partial<Handlers>;
}

function contains(directory: string, path: string | undefined): boolean {
  return path === directory || (path?.startsWith(`${directory}/`) ?? false);
}

/** The file name of the archive, encoded so that it may contain any character. */
function attachment(path: string): string {
  const name = namesIn(path).at(-1) ?? "root";
  return `attachment; filename*=UTF-8''${encodeURIComponent(`${name}.tar.gz`).replace(/['()*]/g, percent)}`;
}

function percent(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}
