/** An image from a file on the daemon's machine or from a data URL. */
import { useQuery } from "@tanstack/react-query";
import { ImageOff } from "lucide-react";
import { useEffect, useState } from "react";
import { useClient } from "../app/connection.tsx";
import { useSession } from "../app/session-context.tsx";
import styles from "./conversation.module.css";

export interface PictureProps {
  path: string;
  mime: string | null;
}

export function Picture({ path, mime }: PictureProps) {
  if (path.startsWith("data:image/")) return <img className={styles.picture} src={path} alt="From the agent" />;
  return <StoredPicture path={path} mime={mime} />;
}

function StoredPicture({ path, mime }: PictureProps) {
  const client = useClient();
  const { session } = useSession();
  const { data, error } = useQuery({
    queryKey: ["picture", session?.id, path],
    queryFn: async ({ signal }) => {
      const response = await client.readFsFile({ path, ...(session && { session_id: session.id }) }, { signal });
      const blob = await response.blob();
      // The daemon sends no image type. Browsers detect it, except for SVG.
      return mime ? new Blob([blob], { type: mime }) : blob;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
  const url = useObjectUrl(data);
  if (error)
    return (
      <div className={styles.file}>
        <ImageOff aria-hidden />
        <code>{path}</code>
      </div>
    );
  return <div className={styles.pictureSpace}>{url && <img className={styles.picture} src={url} alt={path} />}</div>;
}

function useObjectUrl(blob: Blob | undefined): string | null {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    if (!blob) return;
    const objectUrl = URL.createObjectURL(blob);
    setUrl(objectUrl);
    return () => URL.revokeObjectURL(objectUrl);
  }, [blob]);
  return url;
}
