/** Listings of the open directories. They are refreshed when the session changes files, and on request. */
import { useQueries, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import type { FileEntry, Session } from "sandbox-agent";
import { useClient } from "../../app/connection.tsx";
import type { Listings } from "./tree-rows.ts";

/** The root of the tree as an absolute path. Null requests the directory of the session, or the default of the daemon. */
export function useRoot(session: Session | null, requested: string | null) {
  const client = useClient();
  const place = { path: requested ?? ".", ...(session && { session_id: session.id }) };
  return useQuery({
    queryKey: ["root", place],
    queryFn: ({ signal }) => client.statFs(place, { signal }),
  });
}

export interface Directories {
  listings: Listings;
  failures: ReadonlyMap<string, unknown>;
}

export function useDirectories(paths: readonly string[]): Directories {
  const client = useClient();
  return useQueries({
    queries: paths.map((path) => ({
      queryKey: ["directory", path],
      queryFn: ({ signal }: { signal: AbortSignal }) => client.listFsEntries({ path }, { signal }),
    })),
    combine(results) {
      const listings = new Map<string, readonly FileEntry[]>();
      const failures = new Map<string, unknown>();
      for (const [index, path] of paths.entries()) {
        listings.set(path, results[index]?.data ?? []);
        if (results[index]?.error) failures.set(path, results[index].error);
      }
      return { listings, failures };
    },
  });
}

const refreshDelayMs = 300;

/** Reads files and directories again when the session has changed some. */
export function useFreshFiles(session: Session | null): void {
  const queries = useQueryClient();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const off = session?.on("file.changed", () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        for (const key of ["directory", "file", "diff"]) void queries.invalidateQueries({ queryKey: [key] });
      }, refreshDelayMs);
    });
    return () => {
      off?.();
      clearTimeout(timer);
    };
  }, [session, queries]);
}
