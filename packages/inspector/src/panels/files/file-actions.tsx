/** Actions of the file tree: upload, create, download, and rename or delete the selected entry. */
import { Ellipsis, Upload } from "lucide-react";
import { useRef, useState } from "react";
import { Allowed, useHasScope } from "../../app/access.tsx";
import { useClient } from "../../app/connection.tsx";
import { Button, IconButton, Menu } from "../../design/index.ts";
import { Confirm } from "../frame/confirm.tsx";
import { Prompt } from "../frame/prompt.tsx";
import { saveFile } from "../frame/save-file.ts";
import type { Action } from "../frame/use-action.ts";
import { joinPath, nameOf, parentOf, type TreeRow } from "./tree-rows.ts";

interface Props {
  /** Where uploads and new files go. */
  directory: string;
  selected: TreeRow | null;
  action: Action;
  onUpload(files: File[]): void;
  onOpen(path: string): void;
}

type DialogName = "file" | "folder" | "rename" | "delete";

export function FileActions({ directory, selected, action, onUpload, onOpen }: Props) {
  const client = useClient();
  const input = useRef<HTMLInputElement>(null);
  const [dialog, openDialog] = useState<DialogName | null>(null);
  const close = () => openDialog(null);
  const mayChange = useHasScope("files");

  const createFile = (name: string) =>
    action.run(async () => {
      const { path } = await client.writeFsFile({ path: joinPath(directory, name) }, "", {
        headers: { "if-none-match": "*" },
      });
      onOpen(path);
    });
  const createFolder = (name: string) => action.run(() => client.mkdirFs({ path: joinPath(directory, name) }));
  const rename = (from: string, name: string) =>
    action.run(() => client.moveFs({ from, to: joinPath(parentOf(from), name) }));
  const remove = (path: string) => action.run(() => client.deleteFsEntry({ path, recursive: true }));
  const download = () =>
    action.run(async () => {
      const archive = await client.downloadFsDirectory({ path: directory });
      saveFile(await archive.blob(), `${nameOf(directory)}.tar.gz`);
    });

  const onSelected = (label: string, name: DialogName, danger = false) => ({
    label,
    danger,
    disabled: selected === null,
    onSelect: () => openDialog(name),
  });
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label="Files to upload"
        onChange={({ target }) => {
          onUpload([...(target.files ?? [])]);
          target.value = "";
        }}
      />
      <Allowed scope="files">
        <Button small disabled={action.busy} onClick={() => input.current?.click()}>
          <Upload /> Upload
        </Button>
      </Allowed>
      <Menu
        trigger={
          <IconButton label="File actions" small>
            <Ellipsis />
          </IconButton>
        }
        items={[
          ...(mayChange ? [{ label: "New file…", onSelect: () => openDialog("file") }] : []),
          ...(mayChange ? [{ label: "New folder…", onSelect: () => openDialog("folder") }] : []),
          { label: "Download folder", onSelect: download },
          ...(mayChange ? [onSelected("Rename…", "rename"), onSelected("Delete…", "delete", true)] : []),
        ]}
      />
      {dialog === "file" && (
        <Prompt title="New file" label="Name" verb="Create" onAnswer={createFile} onClose={close} />
      )}
      {dialog === "folder" && (
        <Prompt title="New folder" label="Name" verb="Create" onAnswer={createFolder} onClose={close} />
      )}
      {dialog === "rename" && selected && (
        <Prompt
          title="Rename"
          label="Name"
          verb="Rename"
          initial={selected.entry.name}
          onAnswer={(name) => rename(selected.path, name)}
          onClose={close}
        />
      )}
      {dialog === "delete" && selected && (
        <Confirm
          title={`Delete ${selected.entry.name}?`}
          verb="Delete"
          onConfirm={() => remove(selected.path)}
          onClose={close}
        >
          {selected.entry.entryType === "directory" ? "The folder and everything in it is deleted. " : ""}This cannot be
          undone.
        </Confirm>
      )}
    </>
  );
}
