/**
 * The streamed text of open items. An interrupted item is completed with it. Reading the text from the log would block the
 * event loop, because an item can have any number of deltas; it is still done for items that are not here.
 */
import type { UniversalEvent } from "@sandbox-agent/schema";
import type { EventBody } from "./normalize.ts";

/** Pieces are joined beyond this number, because many short strings take more memory than a long one. */
const maxPieces = 256;

export class OpenTexts {
  readonly #pieces = new Map<string, string[]>();

  observe({ type, data }: EventBody | UniversalEvent): void {
    switch (type) {
      case "item.started":
        this.#pieces.set(data.item.item_id, []);
        return;
      case "item.delta": {
        const pieces = this.#pieces.get(data.item_id);
        pieces?.push(data.delta);
        if (pieces && pieces.length >= maxPieces) this.#pieces.set(data.item_id, [pieces.join("")]);
        return;
      }
      case "item.completed":
        this.#pieces.delete(data.item.item_id);
        return;
      case "session.ended":
        this.#pieces.clear();
    }
  }

  /** Null for an item whose start was not observed. */
  of(itemId: string): string | null {
    return this.#pieces.get(itemId)?.join("") ?? null;
  }
}
