/** Log entries as terminal text. Characters that are split over two entries are joined, stderr is red. */
import type { ProcessLogEntry } from "sandbox-agent";

export function createLogText(): (entry: ProcessLogEntry) => string {
  const decoders = new Map<string, TextDecoder>();
  return ({ stream, data }) => {
    const decoder = decoders.get(stream) ?? new TextDecoder();
    decoders.set(stream, decoder);
    const text = decoder.decode(bytesOf(data), { stream: true });
    return stream === "stderr" ? `\x1b[31m${text}\x1b[39m` : text;
  };
}

function bytesOf(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}
