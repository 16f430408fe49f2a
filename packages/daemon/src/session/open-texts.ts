/**
 * The text that open items have been streamed so far. An item that is cut off is completed with it; reading it from the log
 * would hold up everybody else, since an item can have any number of deltas. What is not here is still in the log.
 */
import type { UniversalEvent } from "@sandbox-agent/schema";
import type { EventBody } from "./normalize.ts";

/** Many short strings take more memory than one that is as long. */
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
