/** Requests and responses of `/v1/fs`. */
import * as z from "zod";
import { type Infer, lazy } from "./lazy.ts";

/** Absolute, or relative to the session's directory, the fs root, or the home directory. */
export const FilePath = lazy(() =>
  z
    .string()
    .min(1)
    .max(4096)
    .refine((path) => !path.includes("\0"), "must not contain a NUL character"),
);

export const EntryType = lazy(() =>
  z
    .enum(["file", "directory", "other"])
    .meta({ id: "EntryType", description: "`other`: a socket, pipe or device, or a broken symbolic link" }),
);
export type EntryType = Infer<typeof EntryType>;

const described = () => ({
  path: z.string().meta({ description: "Absolute, with symbolic links resolved" }),
  entryType: EntryType(),
  size: z.int(),
  modified: z.iso.datetime(),
});

export const FileStat = lazy(() => z.object(described()).meta({ id: "FileStat" }));
export type FileStat = Infer<typeof FileStat>;

export const FileEntry = lazy(() =>
  z
    .object({
      name: z.string(),
      ...described(),
      symlink: z
        .string()
        .optional()
        .meta({ description: "Text of a symbolic link; `entryType` and `size` are those of its target" }),
    })
    .meta({ id: "FileEntry" }),
);
export type FileEntry = Infer<typeof FileEntry>;

export const FileEntries = lazy(() => z.array(FileEntry()).meta({ id: "FileEntries" }));

export const WriteFileResponse = lazy(() =>
  z.object({ path: z.string(), bytesWritten: z.int() }).meta({ id: "WriteFileResponse" }),
);
export type WriteFileResponse = Infer<typeof WriteFileResponse>;

export const PathResponse = lazy(() => z.object({ path: z.string() }).meta({ id: "PathResponse" }));

export const MoveRequest = lazy(() =>
  z
    .object({
      from: FilePath(),
      to: FilePath(),
      overwrite: z.boolean().optional().meta({ description: "Replace what exists at `to`, even a whole directory" }),
    })
    .meta({ id: "MoveRequest" }),
);

export const MoveResponse = lazy(() => z.object({ from: z.string(), to: z.string() }).meta({ id: "MoveResponse" }));
export type MoveResponse = Infer<typeof MoveResponse>;

export const UploadResponse = lazy(() =>
  z
    .object({
      paths: z.array(z.string()).meta({ description: "Written paths, at most 1024" }),
      truncated: z.boolean().meta({ description: "Whether `paths` is incomplete; everything was written" }),
    })
    .meta({ id: "UploadResponse" }),
);
export type UploadResponse = Infer<typeof UploadResponse>;

export const SearchIn = lazy(() => z.enum(["names", "content"]));
export type SearchIn = Infer<typeof SearchIn>;

export const SearchMatch = lazy(() =>
  z
    .object({
      path: z.string(),
      line: z.int().optional().meta({ description: "From 1; only when content was searched" }),
      column: z.int().optional().meta({ description: "From 1, in UTF-16 code units" }),
      text: z.string().optional().meta({ description: "The line, cut to 500 characters" }),
    })
    .meta({ id: "SearchMatch" }),
);
export type SearchMatch = Infer<typeof SearchMatch>;

export const SearchResponse = lazy(() =>
  z
    .object({
      matches: z.array(SearchMatch()),
      truncated: z.boolean().meta({ description: "Whether there are more matches than `limit`" }),
    })
    .meta({ id: "SearchResponse" }),
);
export type SearchResponse = Infer<typeof SearchResponse>;
