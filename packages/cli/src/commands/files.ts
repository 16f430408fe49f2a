/** `api fs …`: files on the daemon's machine. */
import { accessSync, constants } from "node:fs";
import { FileEntries, SearchIn } from "@sandbox-agent/schema";
import { type Command, InvalidArgumentError, Option } from "commander";
import { reasonOf, usageError } from "../failure.ts";
import { addOperation } from "../operation-command.ts";
import { wholeNumber } from "../option-values.ts";
import type { Table } from "../table.ts";

interface PlaceOptions {
  sessionId?: string;
}
interface DirectoryOptions extends PlaceOptions {
  path?: string;
}
interface WriteOptions extends PlaceOptions {
  content?: string;
  fromFile?: Blob;
  ifMatch?: string;
  ifNoneMatch?: string;
}

export function addFiles(parent: Command, description: string): void {
  const fs = parent.command("fs").description(description);
  withDirectory(
    addOperation(fs, {
      operation: "listFsEntries",
      usage: "entries",
      request: ({ path, sessionId }: DirectoryOptions) => ({ params: {}, query: { path, session_id: sessionId } }),
      table: entryTable,
    }),
  );
  addReading(fs);
  addChanging(fs);
  addArchives(fs);
  addSearch(fs);
}

function addReading(fs: Command): void {
  withSession(
    addOperation(fs, {
      operation: "readFsFile",
      usage: "read <path>",
      request: (path: string, { sessionId, range }: PlaceOptions & { range?: string }) => ({
        params: {},
        query: { path, session_id: sessionId },
        headers: { Range: range && `bytes=${range}` },
      }),
    }),
  ).option("--range <bytes>", "only these bytes: 0-99, 100-, or -100 for the last 100");
  withSession(
    addOperation(fs, {
      operation: "statFs",
      usage: "stat <path>",
      request: (path: string, { sessionId }: PlaceOptions) => ({ params: {}, query: { path, session_id: sessionId } }),
    }),
  );
}

function addChanging(fs: Command): void {
  withSession(
    addOperation(fs, {
      operation: "writeFsFile",
      usage: "write <path>",
      request: (path: string, options: WriteOptions) => ({
        params: {},
        query: { path, session_id: options.sessionId },
        headers: { "If-Match": options.ifMatch, "If-None-Match": options.ifNoneMatch },
        bytes: contentOf(options),
      }),
    }),
  )
    .option("--content <text>", "text to write")
    .option("--from-file <file>", "local file to write; - reads standard input", localFile)
    .option("--if-match <etag>", "only if the file has this ETag, or exists (*)")
    .option("--if-none-match <etag>", "only if the file does not exist (*)");
  withSession(
    addOperation(fs, {
      operation: "mkdirFs",
      usage: "mkdir <path>",
      request: (path: string, { sessionId }: PlaceOptions) => ({ params: {}, query: { path, session_id: sessionId } }),
    }),
  );
  withSession(
    addOperation(fs, {
      operation: "moveFs",
      usage: "move <from> <to>",
      request: (from: string, to: string, { sessionId, overwrite }: PlaceOptions & { overwrite?: true }) => ({
        params: {},
        query: { session_id: sessionId },
        body: { from, to, overwrite },
      }),
    }),
  ).option("--overwrite", "replace an existing target");
  withSession(
    addOperation(fs, {
      operation: "deleteFsEntry",
      usage: "delete <path>",
      request: (path: string, { sessionId, recursive }: PlaceOptions & { recursive?: true }) => ({
        params: {},
        query: { path, session_id: sessionId, recursive },
      }),
    }),
  ).option("--recursive", "delete a directory that is not empty");
}

function addArchives(fs: Command): void {
  withDirectory(
    addOperation(fs, {
      operation: "uploadFsBatch",
      usage: "upload-batch",
      request: ({ path, sessionId, tar }: DirectoryOptions & { tar: Blob }) => ({
        params: {},
        query: { path, session_id: sessionId },
        bytes: tar,
      }),
    }),
  ).requiredOption("--tar <file>", "local tar or tar.gz archive; - reads standard input (required)", localFile);
  withDirectory(
    addOperation(fs, {
      operation: "downloadFsDirectory",
      usage: "download",
      request: ({ path, sessionId }: DirectoryOptions) => ({ params: {}, query: { path, session_id: sessionId } }),
    }),
  ).addHelpText("after", downloadExamples);
}

function addSearch(fs: Command): void {
  const where = new Option("--in <where>", "what to search (default: names)").choices(SearchIn().options);
  withDirectory(
    addOperation(fs, {
      operation: "searchFs",
      usage: "search <query>",
      request: (query: string, options: DirectoryOptions & { in?: SearchIn; limit?: number }) => ({
        params: {},
        query: { query, path: options.path, session_id: options.sessionId, in: options.in, limit: options.limit },
      }),
    }),
  )
    .addOption(where)
    .option("-l, --limit <n>", "at most this many (default: 100)", wholeNumber());
}

function withSession(command: Command): Command {
  return command.option("--session-id <id>", "resolve relative paths in this session's directory");
}

function withDirectory(command: Command): Command {
  return withSession(command).option("--path <path>", "directory (default: the base of relative paths)");
}

function contentOf({ content, fromFile }: WriteOptions): Blob {
  if ((content === undefined) === (fromFile === undefined))
    throw usageError("--content or --from-file is required, not both");
  return fromFile ?? new Blob([content ?? ""]);
}

/** Streamed, so it may be large. */
function localFile(file: string): Blob {
  if (file === "-") return Bun.stdin;
  try {
    accessSync(file, constants.R_OK);
  } catch (error) {
    throw new InvalidArgumentError(`It cannot be read: ${reasonOf(error)}.`);
  }
  return Bun.file(file);
}

function entryTable(value: unknown): Table {
  return {
    columns: ["NAME", "TYPE", "SIZE", "MODIFIED"],
    rows: FileEntries()
      .parse(value)
      .map(({ name, entryType, size, modified, symlink }) => [
        symlink === undefined ? name : `${name} -> ${symlink}`,
        entryType,
        String(size),
        new Date(modified).toLocaleString("sv-SE"),
      ]),
    empty: "The directory is empty.",
  };
}

const downloadExamples = `
Examples:
  $ sandbox-agent api fs download --session-id demo > demo.tar.gz
  $ sandbox-agent api fs download --path /workspace | tar -xz`;
