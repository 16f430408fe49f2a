/** A prompt of OpenCode as a message of ours. */
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { type Attachment, type MessageRequest, ProblemError } from "@sandbox-agent/schema";
import * as z from "zod";
import type { IncomingFile } from "../../session/attachments.ts";

const TextPart = z.object({ type: z.literal("text"), text: z.string(), ignored: z.boolean().optional() });
const FilePart = z.object({
  type: z.literal("file"),
  url: z.string(),
  mime: z.string().optional(),
  filename: z.string().optional(),
});
/** Such as mentions of agents, which the text contains too. */
const OtherPart = z.looseObject({ type: z.string() });

const ModelRef = z.object({ providerID: z.string(), modelID: z.string(), variant: z.string().optional() });

export const Prompt = z.object({
  messageID: z.string().startsWith("msg").optional(),
  model: ModelRef.nullish(),
  agent: z.string().nullish(),
  variant: z.string().nullish(),
  noReply: z.boolean().nullish(),
  parts: z.array(z.union([TextPart, FilePart, OtherPart])),
});
export type Prompt = z.infer<typeof Prompt>;

/** Stores a file and returns its path. */
type KeepFile = (file: IncomingFile) => Promise<string>;

/** Files inside the prompt are stored, because agents read them by path. */
export async function messageRequest({ parts, noReply }: Prompt, keep: KeepFile): Promise<MessageRequest> {
  if (noReply)
    throw new ProblemError("invalid_request", "noReply is not supported: the agent replies to every message");
  const texts = select(TextPart, parts).filter(({ ignored }) => !ignored);
  const text = texts.map((part) => part.text).join("\n");
  const attachments = await Promise.all(select(FilePart, parts).map((part) => attachmentOf(part, keep)));
  const message = text.trim() === "" ? attachments.map(({ path }) => basename(path)).join(", ") : text;
  if (message.trim() === "") throw new ProblemError("invalid_request", "parts: the prompt is empty");
  return { message, ...(attachments.length > 0 && { attachments }) };
}

/** A title for the session: the first line of the prompt. */
export function titleFrom({ parts }: Prompt): string | null {
  const words = select(TextPart, parts)[0]?.text.trim().split("\n", 1)[0] ?? "";
  return words.length > titleLength ? `${words.slice(0, titleLength - 1)}…` : words || null;
}

const titleLength = 60;

/** The parts of one kind. */
function select<Part>(kind: z.ZodType<Part>, parts: Prompt["parts"]): Part[] {
  return parts.flatMap((part) => kind.safeParse(part).data ?? []);
}

async function attachmentOf({ url, mime, filename }: z.infer<typeof FilePart>, keep: KeepFile): Promise<Attachment> {
  const path = url.startsWith("data:")
    ? await keep({ bytes: await bytesOf(url), name: filename ?? null, mime: mime ?? null })
    : localPath(url);
  return { path, ...(mime && { mime }), ...(filename && { filename }) };
}

function localPath(url: string): string {
  if (url.startsWith("/")) return url;
  try {
    const parsed = new URL(url);
    // The query selects a range of lines; agents get the whole file.
    parsed.search = "";
    return fileURLToPath(parsed);
  } catch {
    throw new ProblemError("invalid_request", `parts: ${url.slice(0, 100)} is neither a file: nor a data: URL`);
  }
}

async function bytesOf(url: string): Promise<Uint8Array> {
  const data = await fetch(url).catch(() => {
    throw new ProblemError("invalid_request", "parts: a data: URL cannot be read");
  });
  return data.bytes();
}
