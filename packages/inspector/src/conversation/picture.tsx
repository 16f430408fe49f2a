/** A picture that lies on the daemon's machine, or that came along as data. */
import { useQuery } from "@tanstack/react-query";
import { ImageOff } from "lucide-react";
import { useEffect, useState } from "react";
import { useClient } from "../app/connection.tsx";
import { useSession } from "../app/session-context.tsx";
import styles from "./conversation.module.css";

export function Picture({ path }: { path: string }) {
  if (path.startsWith("data:image/")) return <img className={styles.picture} src={path} alt="From the agent" />;
  return <StoredPicture path={path} />;
}

function StoredPicture({ path }: { path: string }) {
  const client = useClient();
  const { session } = useSession();
  const { data, error } = useQuery({
    queryKey: ["picture", session?.id, path],
    queryFn: async ({ signal }) =>
      (await client.readFsFile({ path, ...(session && { session_id: session.id }) }, { signal })).blob(),
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
    const made = URL.createObjectURL(blob);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [blob]);
  return url;
}
