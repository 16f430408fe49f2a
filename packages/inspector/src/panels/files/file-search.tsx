/** Searches files by name and content. */
import { useQuery } from "@tanstack/react-query";
import { useDeferredValue } from "react";
import type { SearchMatch } from "sandbox-agent";
import { useClient } from "../../app/connection.tsx";
import { EmptyState, Input, Spinner } from "../../design/index.ts";
import { Failure, panelStyles } from "../frame/panel.tsx";
import type { OpenedFile } from "./file-view.tsx";
import styles from "./files.module.css";

export const FileSearch = { Input: SearchInput, Results: SearchResults };

function SearchInput({ value, onChange }: { value: string; onChange(text: string): void }) {
  return (
    <Input
      className={styles.search}
      type="search"
      placeholder="Search file names and contents"
      aria-label="Search file names and contents"
      value={value}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}

interface ResultsProps {
  root: string;
  search: string;
  onOpen(file: OpenedFile): void;
}

const limit = 100;

function SearchResults({ root, search, onOpen }: ResultsProps) {
  const client = useClient();
  const query = useDeferredValue(search);
  const { data, error, isPending } = useQuery({
    queryKey: ["search", root, query],
    queryFn: async ({ signal }) => {
      const find = (place: "names" | "content") => client.searchFs({ path: root, query, in: place, limit }, { signal });
      const [names, content] = await Promise.all([find("names"), find("content")]);
      return [...names.matches, ...content.matches];
    },
  });
  return (
    <ul className={styles.results} aria-label="Search results">
      <Failure error={error} />
      {isPending && <Spinner />}
      {data?.length === 0 && <EmptyState title="No results" />}
      {data?.map((match) => (
        <li key={`${match.path}:${match.line ?? 0}:${match.column ?? 0}`}>
          <Match root={root} match={match} onOpen={onOpen} />
        </li>
      ))}
    </ul>
  );
}

function Match({ root, match, onOpen }: { root: string; match: SearchMatch; onOpen(file: OpenedFile): void }) {
  const { path, line, text } = match;
  const shown = path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path;
  return (
    <button type="button" className={panelStyles.row} onClick={() => onOpen({ path, line: line ?? null })}>
      <span>{line === undefined ? shown : `${shown}:${line}`}</span>
      <span className={`${panelStyles.text} ${panelStyles.mono} ${panelStyles.faint}`}>{text?.trim()}</span>
    </button>
  );
}
