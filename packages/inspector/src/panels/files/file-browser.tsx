/** Browses files of the session's directory or any other: view, edit, upload, rename, delete, search. */
import { useQueryClient } from "@tanstack/react-query";
import { CornerLeftUp, RefreshCw } from "lucide-react";
import { type FormEvent, useCallback, useState } from "react";
import { useClient } from "../../app/connection.tsx";
import { useSession } from "../../app/session-context.tsx";
import { IconButton, Input, Spinner } from "../../design/index.ts";
import { Confirm } from "../frame/confirm.tsx";
import { Failure, Panel, panelStyles, Split } from "../frame/panel.tsx";
import { useAction } from "../frame/use-action.ts";
import { FileActions } from "./file-actions.tsx";
import { FileSearch } from "./file-search.tsx";
import { FileTree } from "./file-tree.tsx";
import { FileView, type OpenedFile } from "./file-view.tsx";
import styles from "./files.module.css";
import { parentOf, type TreeRow, treeRows } from "./tree-rows.ts";
import { uploadFiles } from "./upload-files.ts";
import { useDirectories, useFreshFiles, useRoot } from "./use-listings.ts";

interface Clash {
  directory: string;
  files: File[];
}

export function FileBrowser() {
  const client = useClient();
  const queries = useQueryClient();
  const { session } = useSession();
  const [requested, setRequested] = useState<string | null>(null);
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const [selectedPath, select] = useState<string | null>(null);
  const [file, setFile] = useState<OpenedFile | null>(null);
  const [isDirty, setDirty] = useState(false);
  const [next, setNext] = useState<OpenedFile | null | undefined>(undefined);
  const [clash, setClash] = useState<Clash | null>(null);
  const [search, setSearch] = useState("");
  const action = useAction(["directory"]);
  const root = useRoot(session, requested);
  const top = root.data?.path ?? null;
  const { listings, failures } = useDirectories(top === null ? [] : [top, ...opened]);
  const rows = top === null ? [] : treeRows(top, opened, listings);
  const selected = rows.find(({ path }) => path === selectedPath) ?? null;
  // Errors of directories that are no longer in the tree are ignored.
  const shown = [top ?? "", ...rows.filter(({ open }) => open).map(({ path }) => path)];
  const error = shown.map((path) => failures.get(path)).find((failure) => failure !== undefined);
  useFreshFiles(session);

  const toggle = ({ path }: TreeRow) => {
    const changed = new Set(opened);
    if (!changed.delete(path)) changed.add(path);
    setOpened(changed);
  };
  /** With unsaved edits, asks first. */
  const show = useCallback((file: OpenedFile | null) => (isDirty ? setNext(file) : setFile(file)), [isDirty]);
  const upload = (directory: string, files: File[], replace = false) =>
    action.run(async () => {
      const existing = await uploadFiles(client, directory, files, replace);
      if (existing.length > 0) setClash({ directory, files: existing });
      setOpened(new Set([...opened, directory]));
    });
  const directory = selected === null ? top : directoryOf(selected);

  const toolbar = (
    <>
      <IconButton
        label="Parent directory"
        small
        disabled={top === null || top === "/"}
        onClick={() => setRequested(parentOf(top ?? "/"))}
      >
        <CornerLeftUp />
      </IconButton>
      <RootPath key={top} path={top ?? ""} onChange={setRequested} />
      <IconButton label="Refresh" small onClick={() => queries.invalidateQueries({ queryKey: ["directory"] })}>
        <RefreshCw />
      </IconButton>
      {directory !== null && (
        <FileActions
          directory={directory}
          selected={selected}
          action={action}
          onUpload={(files) => upload(directory, files)}
          onOpen={(path) => show({ path, line: null })}
        />
      )}
      <FileSearch.Input value={search} onChange={setSearch} />
    </>
  );

  return (
    <Panel toolbar={toolbar}>
      <Failure error={action.error ?? root.error ?? error} />
      {root.isPending && <Spinner />}
      <Split>
        {top !== null && search.trim() !== "" && <FileSearch.Results root={top} search={search.trim()} onOpen={show} />}
        {top !== null && search.trim() === "" && (
          <FileTree
            root={top}
            rows={rows}
            selected={selectedPath}
            onSelect={({ path }) => select(path)}
            onToggle={toggle}
            onOpen={({ path }) => show({ path, line: null })}
            onDrop={upload}
          />
        )}
        {file && <FileView file={file} onDirty={setDirty} onClose={() => show(null)} />}
      </Split>
      {next !== undefined && (
        <Confirm
          title="Discard edits?"
          verb="Discard"
          onConfirm={() => setFile(next)}
          onClose={() => setNext(undefined)}
        >
          This file has unsaved edits.
        </Confirm>
      )}
      {clash && (
        <Confirm
          title="Replace files?"
          verb="Replace"
          onConfirm={() => upload(clash.directory, clash.files, true)}
          onClose={() => setClash(null)}
        >
          These files already exist: {clash.files.map(({ name }) => name).join(", ")}
        </Confirm>
      )}
    </Panel>
  );
}

function directoryOf({ path, entry }: TreeRow): string {
  return entry.entryType === "directory" ? path : parentOf(path);
}

function RootPath({ path, onChange }: { path: string; onChange(path: string): void }) {
  const [text, setText] = useState(path);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onChange(text);
  };
  return (
    <form className={styles.root} onSubmit={submit}>
      <Input
        className={panelStyles.mono}
        aria-label="Directory"
        value={text}
        spellCheck={false}
        onChange={({ target }) => setText(target.value)}
      />
    </form>
  );
}
