/** The working directory of a session: typed, or chosen from the directories on the daemon's machine. */
import { useQuery } from "@tanstack/react-query";
import { CornerLeftUp, Folder, FolderOpen } from "lucide-react";
import { useState } from "react";
import { useClient } from "../app/connection.tsx";
import { failureText } from "../app/failure-text.ts";
import { Button, Field, Input, Notice } from "../design/index.ts";
import styles from "./sessions.module.css";

export function DirectoryField({ value, onChange }: { value: string; onChange: (path: string) => void }) {
  const [browsing, setBrowsing] = useState(false);
  return (
    <div className={styles.whole}>
      <div className={styles.withButton}>
        <Field label="Directory">
          <Input
            value={value}
            onChange={({ target }) => onChange(target.value)}
            placeholder="The daemon's working directory"
            spellCheck={false}
          />
        </Field>
        <Button aria-expanded={browsing} onClick={() => setBrowsing(!browsing)}>
          <FolderOpen /> Browse
        </Button>
      </div>
      {browsing && <Directories path={value} onChange={onChange} />}
    </div>
  );
}

function Directories({ path, onChange }: { path: string; onChange: (path: string) => void }) {
  const client = useClient();
  const { data, error } = useQuery({
    queryKey: ["directories", path],
    queryFn: ({ signal }) => client.listFsEntries(path ? { path } : {}, { signal }),
    placeholderData: (before) => before,
  });
  if (error) return <Notice tone="warn">{failureText(error)}</Notice>;
  const directories = (data ?? []).filter(({ entryType, name }) => entryType === "directory" && !name.startsWith("."));
  return (
    <ul className={styles.directories} aria-label="Directories">
      {parentOf(path) !== null && (
        <li>
          <Button small look="ghost" onClick={() => onChange(parentOf(path) ?? "/")}>
            <CornerLeftUp /> ..
          </Button>
        </li>
      )}
      {directories.map((entry) => (
        <li key={entry.path}>
          <Button small look="ghost" onClick={() => onChange(entry.path)}>
            <Folder /> {entry.name}
          </Button>
        </li>
      ))}
    </ul>
  );
}

function parentOf(path: string): string | null {
  const trimmed = path.replace(/\/+$/, "");
  if (!trimmed.startsWith("/")) return null;
  return trimmed.slice(0, trimmed.lastIndexOf("/")) || "/";
}
