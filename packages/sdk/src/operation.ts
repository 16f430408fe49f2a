/** The description of an operation at run time, and the types of its parameters, body and result. Both are generated. */
import type { operations as Api } from "./generated/api.ts";

export interface Operation {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** With `{name}` for a parameter. */
  path: string;
  /** Content type of the body. Anything but JSON is sent unchanged. */
  body?: string;
  /** A stream that accepts `Last-Event-ID`, so it can be resumed after a broken connection. */
  resumes?: true;
  /** A stream that ends when the daemon closes it. Other streams are resumed then, because the daemon has only stopped. */
  ends?: true;
  /** Accepts an `Idempotency-Key`, so it may be sent twice. */
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

/** A binary body. Browsers send streams over HTTP/2 only; a Blob works everywhere. */
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

/** The JSON result of an operation. */
export type Answer<Id extends OperationId> = Success<Id> extends { "application/json": infer Json } ? Json : never;
