/** What is known of each operation at run time, and the types of what it takes and answers. Both are generated. */
import type { operations as Api } from "./generated/api.ts";

export interface Operation {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** With `{name}` for a parameter. */
  path: string;
  /** Content type of the body; anything but JSON is sent as it is. */
  body?: string;
  /** A stream that takes `Last-Event-ID`, so it can be continued after a broken connection. */
  resumes?: true;
  /** A stream that is over when the daemon closes it in order. Others are closed so when the daemon stops, and go on. */
  ends?: true;
  /** Takes an `Idempotency-Key`, so it may be sent twice. */
  keyed?: true;
}

export type OperationId = keyof Api;

type Present<T> = Exclude<T, undefined | null>;
type Parameters<Id extends OperationId, Place extends "path" | "query"> = Present<Api[Id]["parameters"][Place]>;

export type Path<Id extends OperationId> = [Parameters<Id, "path">] extends [never]
  ? Record<never, string>
  : Parameters<Id, "path">;

export type Query<Id extends OperationId> = [Parameters<Id, "query">] extends [never]
  ? Record<never, never>
  : Parameters<Id, "query">;

/** What can be sent where bytes are expected. Browsers send streams over HTTP/2 only; a Blob works everywhere. */
export type Bytes = ReadableStream<Uint8Array> | Uint8Array<ArrayBuffer> | ArrayBuffer | Blob | string;

type BodyContent<Id extends OperationId> = Api[Id] extends { requestBody?: infer Body }
  ? Present<Body> extends { content: infer Content }
    ? Content
    : never
  : never;

export type Body<Id extends OperationId> =
  BodyContent<Id> extends { "application/json": infer Json } ? Json : [BodyContent<Id>] extends [never] ? never : Bytes;

type Success<Id extends OperationId> = Api[Id] extends { responses: { 200: { content: infer Content } } }
  ? Content
  : never;

/** The JSON that an operation answers. */
export type Answer<Id extends OperationId> = Success<Id> extends { "application/json": infer Json } ? Json : never;
