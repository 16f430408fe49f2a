/** The operations on files. */
import * as z from "zod";
import {
  FileEntries,
  FilePath,
  FileStat,
  MoveRequest,
  MoveResponse,
  PathResponse,
  SearchIn,
  SearchResponse,
  UploadResponse,
  WriteFileResponse,
} from "./files.ts";
import { lazy } from "./lazy.ts";
import type { Operation } from "./operations.ts";
import { booleanQuery, integerQuery } from "./query.ts";

const path = lazy(() =>
  FilePath().describe(
    "Absolute, or relative to the session's directory, else to the fs root, else to the home directory",
  ),
);
const session_id = lazy(() =>
  z.string().min(1).optional().describe("Relative paths start at this session's directory"),
);
const directory = lazy(() => z.object({ path: path().optional(), session_id: session_id() }));
const place = lazy(() => z.object({ path: path(), session_id: session_id() }));
const ofPaths = ["session_not_found"] as const;

export const fileOperations = {
  listFsEntries: {
    method: "GET",
    path: "/v1/fs/entries",
    tag: "files",
    scopes: ["read"],
    forSomeSessions: true,
    summary: "List a directory, sorted by name",
    query: directory,
    success: { status: 200, json: FileEntries },
    problems: ofPaths,
  },
  readFsFile: {
    method: "GET",
    path: "/v1/fs/file",
    tag: "files",
    scopes: ["read"],
    forSomeSessions: true,
    summary: "The bytes of a file, whole or a part",
    description: "`HEAD` answers the same headers without the bytes.",
    headers: {
      Range: "One range of bytes, as `bytes=0-99`",
      "If-Range": "Use the range only while the file has this `ETag`",
      "If-None-Match": "Answer 304 if the file still has this `ETag`",
    },
    query: place,
    success: { status: 200, bytes: "application/octet-stream", partial: true },
    problems: [...ofPaths, "range_not_satisfiable"],
  },
  writeFsFile: {
    method: "PUT",
    path: "/v1/fs/file",
    tag: "files",
    scopes: ["files"],
    forSomeSessions: true,
    summary: "Write a file atomically",
    description:
      "Streamed to disk at any size. Readers see the old content until the new is complete. Missing parent directories are created. The new `ETag` is in the response headers.",
    headers: {
      "If-Match": "Write only if the file has this `ETag`, or with `*` if it exists",
      "If-None-Match": "With `*`: write only if the file does not exist",
    },
    query: place,
    binary: ["*/*"],
    success: { status: 200, json: WriteFileResponse },
    problems: [...ofPaths, "precondition_failed"],
  },
  statFs: {
    method: "GET",
    path: "/v1/fs/stat",
    tag: "files",
    scopes: ["read"],
    forSomeSessions: true,
    summary: "Type, size and modification time of a file or directory",
    query: place,
    success: { status: 200, json: FileStat },
    problems: ofPaths,
  },
  mkdirFs: {
    method: "POST",
    path: "/v1/fs/mkdir",
    tag: "files",
    scopes: ["files"],
    forSomeSessions: true,
    summary: "Create a directory and its parents; succeeds if it exists",
    query: place,
    success: { status: 200, json: PathResponse },
    problems: ofPaths,
  },
  moveFs: {
    method: "POST",
    path: "/v1/fs/move",
    tag: "files",
    scopes: ["files"],
    forSomeSessions: true,
    summary: "Move or rename a file or directory",
    description:
      "Missing parents of the target are created. An existing target is replaced only with `overwrite`, and is kept if the move fails.",
    query: lazy(() => z.object({ session_id: session_id() })),
    body: MoveRequest,
    success: { status: 200, json: MoveResponse },
    problems: [...ofPaths, "conflict"],
  },
  deleteFsEntry: {
    method: "DELETE",
    path: "/v1/fs/entry",
    tag: "files",
    scopes: ["files"],
    forSomeSessions: true,
    summary: "Delete a file, a symbolic link or a directory",
    query: lazy(() =>
      place().extend({ recursive: booleanQuery().optional().describe("Delete a directory that is not empty") }),
    ),
    success: { status: 200, json: PathResponse },
    problems: [...ofPaths, "conflict"],
  },
  uploadFsBatch: {
    method: "POST",
    path: "/v1/fs/upload-batch",
    tag: "files",
    scopes: ["files"],
    forSomeSessions: true,
    summary: "Unpack a tar or tar.gz archive into a directory",
    description:
      "Streamed; the directory is created. At most 16 GiB unpacked, 1,000,000 entries, paths of 4096 bytes and 128 directories; beyond that the request fails with `payload_too_large`. Nothing is written outside of the directory, and no link of the archive may lead out of the fs root. Entries before a rejected one stay written.",
    query: directory,
    binary: ["application/x-tar", "application/x-gtar", "application/gzip", "application/x-gzip"],
    success: { status: 200, json: UploadResponse },
    problems: [...ofPaths, "conflict", "payload_too_large", "unsupported_media_type"],
  },
  downloadFsDirectory: {
    method: "GET",
    path: "/v1/fs/download",
    tag: "files",
    scopes: ["read"],
    forSomeSessions: true,
    summary: "A directory as a tar.gz archive",
    description:
      "Files, directories and symbolic links, streamed. Unpacking it with `upload-batch` gives the same tree.",
    query: directory,
    success: { status: 200, bytes: "application/gzip" },
    problems: ofPaths,
  },
  searchFs: {
    method: "GET",
    path: "/v1/fs/search",
    tag: "files",
    scopes: ["read"],
    forSomeSessions: true,
    summary: "Find files by name or content",
    description:
      "Plain text, ignoring case unless it has capitals. In names, `*`, `?`, `[…]` and `{…}` make it a glob, matched against the last part of the path unless it has a slash. Files that `.gitignore` excludes, `.git`, and for content binary files and those over 16 MB are left out.",
    query: lazy(() =>
      directory().extend({
        query: z.string().min(1).max(1000).describe("Text or glob to search for"),
        in: SearchIn().optional().describe("`names` (default) or `content`"),
        limit: integerQuery().optional().describe("Default 100, at most 10000"),
      }),
    ),
    success: { status: 200, json: SearchResponse },
    problems: ofPaths,
  },
} as const satisfies Record<string, Operation>;
