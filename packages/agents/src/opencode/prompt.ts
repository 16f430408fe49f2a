/** A turn as the parts of an OpenCode prompt. Files are passed by reference; the server reads them. */
import { statSync } from "node:fs";
import { basename, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { type Attachment, ProblemError } from "@sandbox-agent/schema";
import type { Turn } from "../agent.ts";
import type { FilePartInput, PromptBody } from "./generated/api.ts";

export function promptParts({ text, attachments }: Turn, directory: string): PromptBody["parts"] {
  return [{ type: "text", text }, ...attachments.map((attachment) => filePart(attachment, directory))];
}

function filePart({ path, mime, filename }: Attachment, directory: string): FilePartInput {
  const file = resolve(directory, path);
  const entry = statSync(file, { throwIfNoEntry: false });
  if (!entry) throw new ProblemError("invalid_request", `the attachment ${file} does not exist`);
  const type = entry.isDirectory() ? "application/x-directory" : nativeMime(mime ?? Bun.file(file).type);
  return { type: "file", mime: type, url: pathToFileURL(file).href, filename: filename ?? basename(file) };
}

/** Images and PDFs keep their type; the server reads all other files as text. */
function nativeMime(mime: string): string {
  return mime.startsWith("image/") || mime === "application/pdf" ? mime : "text/plain";
}
