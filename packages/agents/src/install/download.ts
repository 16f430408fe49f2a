/** Downloads over HTTP: complete or failed, and with a time limit for stalls. */
import { open } from "node:fs/promises";
import { fetchOnce, fetchSecurely, InsecureAddress } from "./secure-fetch.ts";

/** A failure of the server or the network, not of this machine. */
export class DownloadError extends Error {
  override name = "DownloadError";
}

/** A download fails after this time without data. */
const stallMs = 60_000;

/** The largest agents have a few hundred megabytes. */
const maxFileBytes = 2 * 1024 ** 3;

export interface DownloadRules {
  /** Allow plain http from other machines. */
  allowPlain: boolean;
}

/**
 * Downloads a URL to a file and returns its SHA-256. `onPart` gets the progress, from 0 to 1. Throws DownloadError or
 * InsecureAddress.
 */
export async function download(
  url: string,
  file: string,
  rules: DownloadRules,
  onPart: (part: number) => void,
): Promise<string> {
  const watch = stallWatch();
  try {
    const response = await request(url, watch.signal, rules);
    return await save(response, url, file, onPart, watch.touch);
  } finally {
    watch.stop();
  }
}

async function save(
  response: Response,
  url: string,
  file: string,
  onPart: (part: number) => void,
  onChunk: () => void,
): Promise<string> {
  const total = Number(response.headers.get("content-length") ?? Number.NaN);
  const hash = new Bun.CryptoHasher("sha256");
  const target = await open(file, "w");
  let received = 0;
  let percent = 0;
  try {
    for await (const chunk of chunksOf(response, url)) {
      onChunk();
      hash.update(chunk);
      await target.writeFile(chunk);
      received += chunk.length;
      if (received > maxFileBytes) throw new DownloadError(`${url} sends more than ${maxFileBytes} bytes`);
      const next = Math.floor((received / total) * 100);
      if (next > percent) onPart((percent = next) / 100);
    }
  } finally {
    await target.close();
  }
  if (received < total) throw new DownloadError(`${url} ended after ${received} of ${total} bytes`);
  return hash.digest("hex");
}

/** Limits memory: lists of versions, checksums and agents are much smaller. */
const maxTextBytes = 16 * 1024 * 1024;

/** Throws DownloadError or InsecureAddress. */
export async function fetchText(url: string, rules: DownloadRules): Promise<string> {
  const watch = stallWatch();
  try {
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of chunksOf(await request(url, watch.signal, rules), url)) {
      watch.touch();
      size += chunk.length;
      if (size > maxTextBytes) throw new DownloadError(`${url} sends more than ${maxTextBytes} bytes`);
      chunks.push(chunk);
    }
    return Buffer.concat(chunks).toString();
  } catch (error) {
    throw asDownloadError(url, error);
  } finally {
    watch.stop();
  }
}

/** The redirect target of the URL. Throws DownloadError or InsecureAddress. */
export async function redirectOf(url: string, rules: DownloadRules): Promise<string> {
  const watch = stallWatch();
  const response = await request(url, watch.signal, rules, "manual").finally(watch.stop);
  const location = response.headers.get("location");
  if (location) return location;
  throw new DownloadError(`${url} does not redirect to a release`);
}

async function request(
  url: string,
  signal: AbortSignal,
  rules: DownloadRules,
  redirect: "follow" | "manual" = "follow",
): Promise<Response> {
  const headers = { "Accept-Encoding": "identity", "User-Agent": "sandbox-agent" };
  const send = redirect === "follow" ? fetchSecurely : fetchOnce;
  const response = await send(url, { ...rules, signal, headers }).catch((error: unknown) => {
    throw asDownloadError(url, error);
  });
  const isAnswer = response.ok || (redirect === "manual" && response.status < 400);
  if (isAnswer) return response;
  await response.body?.cancel();
  throw new DownloadError(`${url} answers ${response.status} ${response.statusText}`.trim());
}

async function* chunksOf({ body }: Response, url: string): AsyncGenerator<Uint8Array> {
  if (body === null) return;
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read().catch((error: unknown) => {
      throw asDownloadError(url, error);
    });
    if (done) return;
    yield value;
  }
}

function asDownloadError(url: string, error: unknown): Error {
  if (error instanceof DownloadError || error instanceof InsecureAddress) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new DownloadError(`${url} cannot be downloaded: ${reason}`);
}

function stallWatch() {
  const controller = new AbortController();
  const giveUp = () => controller.abort(new Error(`no data for ${stallMs / 1000} seconds`));
  let timer = setTimeout(giveUp, stallMs);
  return {
    signal: controller.signal,
    touch() {
      clearTimeout(timer);
      timer = setTimeout(giveUp, stallMs);
    },
    stop: () => clearTimeout(timer),
  };
}
