/** The attachments of the next message. They are uploaded as soon as they are added. */
import { useState } from "react";
import type { Attachment } from "sandbox-agent";
import { useClient } from "../app/connection.tsx";
import { uploadAttachment } from "./attachments.ts";

export interface Attachments {
  list: readonly Attachment[];
  /** Number of uploads in progress. */
  uploading: number;
  failure: unknown;
  add(files: Iterable<File>): Promise<void>;
  remove(attachment: Attachment): void;
  /** Clears the list, or restores it when the message could not be sent. */
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
