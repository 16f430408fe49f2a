/** A file as a response: complete, a range, or 304 Not Modified. */
import { ProblemError } from "@sandbox-agent/schema";
import { etagMatches } from "../files/etag.ts";
import { type OpenFile, piecesOf } from "../files/read.ts";
import { problemResponse } from "./problems.ts";
import { type Part, rangeOf } from "./range.ts";
import { pathOf } from "./request-url.ts";

/** Files up to this size are sent at once, with their length. Larger ones are streamed in chunks. */
const smallBytes = 1024 * 1024;

/** Owns the file from here on and closes it. */
export async function fileResponse(request: Request, path: string, file: OpenFile): Promise<Response> {
  const { size, etag } = file;
  const headers = new Headers({
    "content-type": "application/octet-stream",
    etag,
    "last-modified": file.modified.toUTCString(),
    "accept-ranges": "bytes",
  });
  const known = request.headers.get("if-none-match");
  if (known !== null && etagMatches(known, etag)) return answered(file, new Response(null, { status: 304, headers }));

  const ifRange = request.headers.get("if-range");
  const range = ifRange === null || ifRange === etag ? rangeOf(request.headers.get("range"), size) : null;
  if (range === "unsatisfiable") {
    const text = `${path} has ${size} bytes, none of them in that range`;
    const problem = new ProblemError("range_not_satisfiable", text, { details: { path, size } });
    return answered(file, problemResponse(problem, pathOf(request), { "content-range": `bytes */${size}` }));
  }
  const part = range ?? { start: 0, end: size };
  if (range) headers.set("content-range", `bytes ${range.start}-${range.end - 1}/${size}`);
  const status = range ? 206 : 200;
  if (request.method === "HEAD") {
    headers.set("content-length", String(part.end - part.start));
    return answered(file, new Response(null, { status, headers }));
  }
  return new Response(await bodyOf(file, part), { status, headers });
}

function answered(file: OpenFile, response: Response): Response {
  file[Symbol.dispose]();
  return response;
}

async function bodyOf(file: OpenFile, part: Part): Promise<Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>> {
  if (part.end - part.start > smallBytes) return streamOf(file, part);
  using small = file;
  return Buffer.concat(await Array.fromAsync(piecesOf(small, part.start, part.end)));
}

/** Aborts the response if the file becomes shorter than its announced length. */
function streamOf(file: OpenFile, { start, end }: Part): ReadableStream<Uint8Array> {
  const pieces = piecesOf(file, start, end);
  let left = end - start;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { value } = await pieces.next();
        if (!value) {
          file[Symbol.dispose]();
          return left === 0 ? controller.close() : controller.error(new Error("the file became shorter meanwhile"));
        }
        left -= value.byteLength;
        controller.enqueue(value);
      },
      async cancel() {
        await pieces.return(undefined);
        file[Symbol.dispose]();
      },
    },
    { highWaterMark: 0 },
  );
}
