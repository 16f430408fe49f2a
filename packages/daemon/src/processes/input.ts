/** Decodes and limits the input that clients send to processes and terminals. */
import { type Infer, type InputEncoding, ProblemError } from "@sandbox-agent/schema";

export type Encoding = Infer<typeof InputEncoding>;

/** The input buffer for a program that does not read; more is rejected. */
const maxPendingBytes = 1024 * 1024;

export function decodeInput(data: string, encoding: Encoding, maxBytes: number): Uint8Array {
  if (encoding === "base64" && !/^[A-Za-z0-9+/]*={0,2}$/.test(data))
    throw new ProblemError("invalid_request", 'data: is not base64; send `"encoding": "utf8"` for plain text');
  const bytes = Buffer.from(data, encoding === "base64" ? "base64" : "utf8");
  if (bytes.length > maxBytes)
    throw new ProblemError(
      "payload_too_large",
      `the input has ${bytes.length} bytes, at most ${maxBytes} are allowed`,
      {
        details: { limit: maxBytes },
      },
    );
  return bytes;
}

export function requireRoom(pending: number): void {
  if (pending > maxPendingBytes)
    throw new ProblemError("conflict", `the program does not read its input: ${pending} bytes are pending`);
}
