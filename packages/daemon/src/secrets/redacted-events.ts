/**
 * Redacts known secrets in the events of one session before they are folded and stored. A secret may be split over several
 * deltas of an item, so text that could be the beginning of one is held back until the next delta or the end of the item.
 */
import { NativeText } from "@sandbox-agent/agents/draft";
import type { UniversalEvent } from "@sandbox-agent/schema";
import type { EventBody } from "../session/normalize.ts";
import type { LogRecord } from "../store/encode.ts";
import type { KnownSecrets } from "./known-secrets.ts";
import { RedactedStream } from "./redacted-stream.ts";

type Delta = EventBody & { type: "item.delta" };

export class RedactedEvents {
  /** Streams of open items whose text may continue with the rest of a secret. */
  #streams = new Map<string, RedactedStream>();

  constructor(private readonly secrets: KnownSecrets) {}

  /** Text of an item that has arrived but is in no delta yet. */
  heldOf(itemId: string): string {
    return this.#streams.get(itemId)?.held ?? "";
  }

  /** The same events without secrets that are split over deltas. `redacted` finds all other secrets. */
  joined(bodies: readonly EventBody[]): readonly EventBody[] {
    const [first] = bodies;
    if (bodies.length === 1 && first?.type === "item.delta") return [this.#delta(first)];
    if (!bodies.some(({ type }) => type === "item.delta" || type === "item.completed")) return bodies;
    return bodies.flatMap((body): EventBody[] => {
      if (body.type === "item.delta") return [this.#delta(body)];
      return body.type === "item.completed" ? [...this.#rest(body), body] : [body];
    });
  }

  /** Returns a function that undoes what `joined` has changed since this call, for events that were not stored. */
  checkpoint(): () => void {
    if (this.#streams.size === 0) return () => this.#streams.clear();
    const streams = new Map([...this.#streams].map(([itemId, stream]) => [itemId, stream.copy()]));
    return () => {
      this.#streams = streams;
    };
  }

  /** Null if the event, which the record contains as text, has no secret. */
  redacted(event: UniversalEvent, { text, raw }: LogRecord): UniversalEvent | null {
    const { secrets } = this;
    if (!secrets.isIn(text) && (raw === null || !secrets.isIn(raw))) return null;
    const { raw: _, ...rest } = event;
    const clean: UniversalEvent = { ...event, data: JSON.parse(secrets.redactJson(JSON.stringify(rest.data))) };
    return raw === null ? clean : { ...clean, raw: new NativeText(secrets.redactJson(raw)) };
  }

  #delta(body: Delta): Delta {
    const { item_id, delta } = body.data;
    const known = this.#streams.get(item_id);
    if (!known && this.secrets.isClear(delta)) return body;
    const stream = known ?? new RedactedStream(this.secrets);
    const passed = stream.push(delta);
    if (stream.isClear) this.#streams.delete(item_id);
    else if (!known) this.#streams.set(item_id, stream);
    if (passed === delta) return body;
    // The native message contains the part that was held back.
    return { ...body, data: { ...body.data, delta: passed }, raw: undefined };
  }

  #rest({ data: { item } }: EventBody & { type: "item.completed" }): Delta[] {
    const { item_id, native_item_id } = item;
    const rest = this.#streams.get(item_id)?.end() ?? "";
    this.#streams.delete(item_id);
    if (rest === "") return [];
    return [{ type: "item.delta", data: { item_id, native_item_id, delta: rest }, synthetic: true }];
  }
}
