/**
 * What an ACP server has said: numbered from 1, kept up to a size. Readers read from here at their own pace, so that none
 * of them delays the agent or another reader. One that falls behind what is kept goes on with the oldest frame there is.
 */
import type { FrameReader, FrameSource } from "../http/sse.ts";

const maxCharacters = 32 * 1024 * 1024;
const pageCharacters = 256 * 1024;
const utf8 = new TextEncoder();

export interface Frame {
  id: number;
  /** One message as JSON. */
  text: string;
}

export class Frames implements FrameSource<number> {
  readonly #readers = new Set<FrameReader<number>>();
  #kept: Frame[] = [];
  #characters = 0;
  #last = 0;

  get readers(): number {
    return this.#readers.size;
  }

  push(text: string): void {
    const frame = { id: ++this.#last, text };
    this.#kept.push(frame);
    this.#characters += text.length;
    if (this.#characters > maxCharacters) this.#drop();
    let bytes: Uint8Array | null = null;
    const live = {
      follows: (cursor: number) => cursor === frame.id - 1,
      take: () => ({ frames: (bytes ??= utf8.encode(sseFrame(frame))) }),
      end: frame.id,
    };
    for (const reader of this.#readers) reader.deliver(live);
  }

  /** The next frame that is kept, or null at the end. */
  next(after: number): Frame | null {
    const first = this.#kept[0];
    return first ? (this.#kept[Math.max(0, after + 1 - first.id)] ?? null) : null;
  }

  page(after: number): { text: string; next: number } | null {
    let text = "";
    let cursor = after;
    for (let frame = this.next(cursor); frame && text.length < pageCharacters; frame = this.next(cursor)) {
      text += sseFrame(frame);
      cursor = frame.id;
    }
    return text === "" ? null : { text, next: cursor };
  }

  subscribe(reader: FrameReader<number>): () => void {
    this.#readers.add(reader);
    return () => this.#readers.delete(reader);
  }

  /** Nothing follows any more. */
  end(): void {
    for (const reader of [...this.#readers]) reader.end();
  }

  /** A quarter at once, so that it need not be done for every frame. The newest frame always stays. */
  #drop(): void {
    let count = 0;
    while (this.#characters > (maxCharacters * 3) / 4 && count < this.#kept.length - 1) {
      this.#characters -= this.#kept[count]?.text.length ?? 0;
      count += 1;
    }
    this.#kept = this.#kept.slice(count);
  }
}

function sseFrame({ id, text }: Frame): string {
  return `event: message\nid: ${id}\ndata: ${text}\n\n`;
}
