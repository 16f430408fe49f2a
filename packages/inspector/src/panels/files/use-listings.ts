/** What is in the directories that are open. Fresh when the session changes files, and when it is asked for. */
import { useQueries, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import type { FileEntry, Session } from "sandbox-agent";
import { useClient } from "../../app/connection.tsx";
import type { Listings } from "./tree-rows.ts";

/** The directory at the top, with its whole path. Nothing asked for is the session's directory, or the daemon's choice. */
export function useRoot(session: Session | null, asked: string | null) {
  const client = useClient();
  const place = { path: asked ?? ".", ...(session && { session_id: session.id }) };
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

const pauseMs = 300;

/** Files and directories are read anew when the session has changed some. */
export function useFreshFiles(session: Session | null): void {
  const queries = useQueryClient();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const off = session?.on("file.changed", () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        for (const key of ["directory", "file", "diff"]) void queries.invalidateQueries({ queryKey: [key] });
      }, pauseMs);
    });
    return () => {
      off?.();
      clearTimeout(timer);
    };
  }, [session, queries]);
}
