/** What every provider endpoint does before and after the protocol itself: keys, content type, JSON, refusals. */
import type * as z from "zod";
import { type Answer, type Exchange, type Failure, refuse } from "./exchange.ts";
import type { Dialect } from "./sse.ts";

/** One endpoint of a provider: reads a request strictly, and renders an answer in both forms. */
export interface Provider {
  checkKey(headers: Headers): void;
  read(body: unknown, headers: Headers): { exchange: Exchange; stream: boolean };
  dialect(answer: Answer, exchange: Exchange): Dialect;
  whole(answer: Answer, exchange: Exchange): unknown;
  refusal(failure: Failure): Response;
}

/** "missing", "unknown" (starts with "bad"), "expired" (starts with "expired"), or fine. */
export function judgeKey(key: string | null): "missing" | "unknown" | "expired" | "fine" {
  if (key === null || key.trim() === "") return "missing";
  if (key.startsWith("bad")) return "unknown";
  return key.startsWith("expired") ? "expired" : "fine";
}

export function bearer(headers: Headers): string | null {
  return /^Bearer\s+(.*)$/i.exec(headers.get("authorization") ?? "")?.[1] ?? null;
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return refuse(400, "The request body is not valid JSON.");
  }
}

/** The parsed value, or a refusal that names the first field a provider would complain about. */
export function check<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.flatMap((issue) => deepIssues(issue, []));
  const deepest = issues.reduce((a, b) => (b.path.length > a.path.length ? b : a), { path: ["body"], message: "" });
  return refuse(400, `${deepest.path.join(".")}: ${deepest.message}`);
}

interface Complaint {
  path: PropertyKey[];
  message: string;
}

/** Behind "matches none of these" stand the reasons; the one found deepest is what the caller wants to know. */
function deepIssues(issue: z.core.$ZodIssue, above: PropertyKey[]): Complaint[] {
  const path = [...above, ...issue.path];
  const inner = issue.code === "invalid_union" ? issue.errors.flat().flatMap((child) => deepIssues(child, path)) : [];
  return inner.length > 0 ? inner : [{ path, message: issue.message }];
}

export function requireModel(model: string): void {
  if (model.startsWith("no-such")) refuse(404, `model: ${model}`, "model_not_found");
}

export function base64Bytes(data: string): number {
  return Buffer.from(data, "base64").byteLength;
}

/** Media type and size of a `data:` URL; remote images have no size here. */
export function imageOf(url: string): { mediaType: string; bytes: number } {
  const match = /^data:([^;,]+);base64,(.*)$/s.exec(url);
  return match ? { mediaType: match[1] ?? "", bytes: base64Bytes(match[2] ?? "") } : { mediaType: "url", bytes: 0 };
}

/** Text of a content value that is either a string or a list of parts. */
export function joinText(content: string | { text?: string }[] | null | undefined): string {
  if (typeof content === "string") return content;
  return (content ?? []).map((part) => part.text ?? "").join("\n");
}
