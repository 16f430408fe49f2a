/** Reads a file as text or image, if it can be shown. */
import type { SandboxAgent } from "sandbox-agent";

export type FileContent =
  | { kind: "text"; text: string; etag: string; complete: boolean }
  | { kind: "image"; blob: Blob }
  | { kind: "binary" };

export interface FilePlace {
  path: string;
  session_id?: string;
}

/** Of longer files only the beginning is shown. */
const maxTextBytes = 1024 * 1024;
const maxImageBytes = 20 * 1024 * 1024;

const imageTypes: Record<string, string> = {
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
  avif: "image/avif",
  svg: "image/svg+xml",
  ico: "image/x-icon",
};

export async function readContent(client: SandboxAgent, place: FilePlace, size: number): Promise<FileContent> {
  const imageType = imageTypes[place.path.split(".").at(-1)?.toLowerCase() ?? ""];
  if (imageType !== undefined && size <= maxImageBytes) {
    const bytes = await (await client.readFsFile(place)).arrayBuffer();
    return { kind: "image", blob: new Blob([bytes], { type: imageType }) };
  }
  const complete = size <= maxTextBytes;
  const response = await client.readFsFile(
    place,
    complete ? {} : { headers: { range: `bytes=0-${maxTextBytes - 1}` } },
  );
  const text = textIn(await response.arrayBuffer(), complete);
  if (text === null) return { kind: "binary" };
  return { kind: "text", text, etag: response.headers.get("etag") ?? "", complete };
}

/** Null if the bytes are not text. A truncated file may end within a character. */
export function textIn(bytes: ArrayBuffer, complete: boolean): string | null {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes, { stream: !complete });
    return text.includes("\0") ? null : text;
  } catch {
    return null;
  }
}
