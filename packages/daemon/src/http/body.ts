/** Request bodies: JSON of a limited size, checked against a schema. */
import { ProblemError } from "@sandbox-agent/schema/problem";
import type * as z from "zod";
import { parseBodyJson } from "../bounded-json.ts";
import { type Connection, isSmallBody } from "./idle-timeouts.ts";

export const maxBodyBytes = 32 * 1024 * 1024;
const maxIssues = 20;
/** Field names and zod's messages about them may be as long as the body. */
const maxIssueCharacters = 300;

export async function jsonBody<Shape>(
  request: Request,
  connection: Connection,
  schema: z.ZodType<Shape>,
  optional: boolean,
): Promise<Shape> {
  const bytes = await limitedBytes(request, connection);
  if (optional && bytes.byteLength === 0) return parseWith(schema, {}, "body");
  requireJsonType(request);
  return parseWith(schema, await parseBodyJson(bytes), "body");
}

/** The parsed value; throws a problem that names the invalid fields. */
export function parseWith<Shape>(schema: z.ZodType<Shape>, value: unknown, where: "body" | "query"): Shape {
  // Without `jitless`, zod compiles a schema at its first use, which takes longer than thousands of uncompiled checks.
  const parsed = schema.safeParse(value, { jitless: true });
  if (parsed.success) return parsed.data;
  const issues = firstIssues(parsed.error);
  const more = parsed.error.issues.length - issues.length;
  const texts = issues.map(({ path, message }) => `${path || where}: ${message}`);
  const text = [...texts, ...(more > 0 ? [`and ${more} more`] : [])].join("; ");
  throw new ProblemError("invalid_request", text, { details: { where, issues, ...(more > 0 && { more }) } });
}

export function firstIssues({ issues }: z.ZodError): { path: string; message: string }[] {
  return issues.slice(0, maxIssues).map(({ path, message }) => ({
    path: path.join(".").slice(0, maxIssueCharacters),
    message: message.slice(0, maxIssueCharacters),
  }));
}

/** For bodies that are not JSON. */
export function requireMediaType(request: Request, allowed: readonly string[]): void {
  if (allowed.includes("*/*") || allowed.includes(mediaType(request))) return;
  throw wrongType(allowed.join(" or "), request);
}

function requireJsonType(request: Request): void {
  const type = mediaType(request);
  if (type === "application/json" || (type.startsWith("application/") && type.endsWith("+json"))) return;
  throw wrongType("application/json", request);
}

function mediaType(request: Request): string {
  return request.headers.get("content-type")?.split(";", 1)[0]?.trim().toLowerCase() ?? "";
}

function wrongType(allowed: string, request: Request): ProblemError {
  const type = mediaType(request);
  const given = type ? `got ${type}` : "none was given";
  return new ProblemError("unsupported_media_type", `content-type must be ${allowed}, ${given}`);
}

async function limitedBytes(request: Request, connection: Connection): Promise<Uint8Array> {
  const announced = request.headers.get("content-length");
  const length = announced === null ? null : Number(announced);
  if (length !== null && length > maxBodyBytes) throw tooLarge();
  try {
    if (length !== null && isSmallBody(length)) return await connection.smallBody();
    return await countedBytes(connection.body());
  } catch (error) {
    if (error instanceof ProblemError) throw error;
    // A truncated body is the client's error, not the daemon's.
    throw new ProblemError("invalid_request", "the connection was closed before the whole body had arrived");
  }
}

/** Counts while reading, because the length is unknown. */
async function countedBytes(body: ReadableStream<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > maxBodyBytes) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function tooLarge(): ProblemError {
  return new ProblemError("payload_too_large", `the body is larger than ${maxBodyBytes} bytes`, {
    details: { limit: maxBodyBytes },
  });
}
