/** One file: its text in an editor, its image, or a note that it cannot be shown. */
import { useQuery } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { useEffect, useState } from "react";
import { useClient } from "../../app/connection.tsx";
import { Button, EmptyState, Spinner } from "../../design/index.ts";
import { Detail, Failure } from "../frame/panel.tsx";
import { sizeText } from "../frame/readable.ts";
import { saveFile } from "../frame/save-file.ts";
import { useAction } from "../frame/use-action.ts";
import { readContent } from "./file-content.ts";
import styles from "./files.module.css";
import { TextFile } from "./text-file.tsx";
import { nameOf } from "./tree-rows.ts";

export interface OpenedFile {
  path: string;
  /** Line to show, from 1. */
  line: number | null;
}

interface Props {
  file: OpenedFile;
  onDirty(isDirty: boolean): void;
  onClose(): void;
}

export function FileView({ file: { path, line }, onDirty, onClose }: Props) {
  const client = useClient();
  const action = useAction(["file", path]);
  const { data, error, isPending } = useQuery({
    queryKey: ["file", path],
    queryFn: async ({ signal }) => {
      const { size } = await client.statFs({ path }, { signal });
      return { size, content: await readContent(client, { path }, size) };
    },
    refetchOnWindowFocus: false,
  });
  const download = async () => saveFile(await (await client.readFsFile({ path })).blob(), nameOf(path));

  const actions = (
    <Button small look="ghost" onClick={() => action.run(download)}>
      <Download /> Download
    </Button>
  );
  const content = data?.content;
  return (
    <Detail title={nameOf(path)} actions={actions} onClose={onClose}>
      <Failure error={action.error ?? error} />
      {isPending && <Spinner />}
      {content?.kind === "text" && <TextFile key={path} path={path} content={content} line={line} onDirty={onDirty} />}
      {content?.kind === "image" && <Picture blob={content.blob} name={nameOf(path)} />}
      {content?.kind === "binary" && (
        <EmptyState title="Not a text file">{sizeText(data?.size ?? 0)}. Download it to view it.</EmptyState>
      )}
    </Detail>
  );
}

function Picture({ blob, name }: { blob: Blob; name: string }) {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    const objectUrl = URL.createObjectURL(blob);
    setUrl(objectUrl);
    return () => URL.revokeObjectURL(objectUrl);
  }, [blob]);
  return <div className={styles.picture}>{url && <img src={url} alt={name} />}</div>;
}
