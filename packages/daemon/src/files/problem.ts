/** Converts failed system calls to problems. */
import { ProblemError, type ProblemKind } from "@sandbox-agent/schema";
import { codeOf } from "../failure.ts";

const meanings: Record<string, [ProblemKind, string]> = {
  ENOENT: ["invalid_request", "does not exist"],
  ENOTDIR: ["invalid_request", "is not a directory, or part of its path is not a directory"],
  EISDIR: ["invalid_request", "is a directory"],
  ELOOP: ["invalid_request", "was replaced by a symbolic link during the request; try again"],
  ENAMETOOLONG: ["invalid_request", "has a name that is too long"],
  EINVAL: ["invalid_request", "cannot be used for this"],
  ENXIO: ["invalid_request", "is not a file"],
  EXDEV: ["invalid_request", "is on another file system than its target; copy and delete it instead"],
  ENOTEMPTY: ["conflict", "is not empty; delete it with recursive=true"],
  EEXIST: ["conflict", "exists already"],
  EBUSY: ["conflict", "is in use, perhaps as a mount point"],
  EACCES: ["permission_denied", "may not be accessed by the daemon's user"],
  EPERM: ["permission_denied", "may not be changed by the daemon's user"],
  EROFS: ["permission_denied", "is on a file system that cannot be written"],
  ENOSPC: ["storage_unavailable", "does not fit on the disk; what was there is unchanged, free some space"],
  EDQUOT: ["storage_unavailable", "exceeds the disk quota; what was there is unchanged, free some space"],
  EFBIG: ["storage_unavailable", "is larger than the file system allows; what was there is unchanged"],
  EMFILE: ["storage_unavailable", "needs more open files than the daemon may have; try again later"],
  EIO: ["storage_unavailable", "cannot be read or written: the disk fails"],
};

/** Runs the work on a path. A failed system call becomes a problem that names the path as the client sent it. */
export async function namingProblems<T>(path: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Error && error.name === "AbortError")
      throw new ProblemError("invalid_request", `the connection was closed before all of ${path} had been sent`);
    const code = codeOf(error);
    const meaning = code === null ? undefined : meanings[code];
    if (!meaning) throw error;
    const [kind, text] = meaning;
    throw new ProblemError(kind, `${path} ${text}`, { details: { path, code } });
  }
}
