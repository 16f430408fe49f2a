/** The files that will go along with the next message: they are uploaded as soon as they are chosen. */
import { useState } from "react";
import type { Attachment } from "sandbox-agent";
import { useClient } from "../app/connection.tsx";
import { uploadAttachment } from "./attachments.ts";

export interface Attachments {
  list: readonly Attachment[];
  /** How many are on their way. */
  uploading: number;
  failure: unknown;
  add(files: Iterable<File>): Promise<void>;
  remove(attachment: Attachment): void;
  /** Takes all of them out, or puts them back when the message could not be sent. */
  replace(list: readonly Attachment[]): void;
}

export function useAttachments(): Attachments {
  const client = useClient();
  const [list, setList] = useState<readonly Attachment[]>([]);
  const [uploading, setUploading] = useState(0);
  const [failure, setFailure] = useState<unknown>(null);

  const add = async (files: Iterable<File>) => {
    const chosen = [...files];
    setFailure(null);
    setUploading((count) => count + chosen.length);
    for (const file of chosen) {
      try {
        const uploaded = await uploadAttachment(client, file);
        setList((before) => [...before, uploaded]);
      } catch (error) {
        setFailure(error);
      }
      setUploading((count) => count - 1);
    }
  };
  const remove = (attachment: Attachment) => setList((before) => before.filter((each) => each !== attachment));
  return { list, uploading, failure, add, remove, replace: setList };
}
