/** A turn as the parts of an OpenCode prompt. Files go by reference: the server reads them itself. */
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
  if (!entry) throw new ProblemError("invalid_request", `there is no file ${file} to attach`);
  const type = entry.isDirectory() ? "application/x-directory" : nativeMime(mime ?? Bun.file(file).type);
  return { type: "file", mime: type, url: pathToFileURL(file).href, filename: filename ?? basename(file) };
}

/** Models take images and PDF as they are; everything else the server reads as text. */
function nativeMime(mime: string): string {
  return mime.startsWith("image/") || mime === "application/pdf" ? mime : "text/plain";
}
