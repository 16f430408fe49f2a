/** Records the events of an OpenCode client's stream, so that tests can wait for them. The stream ends with its daemon. */
import type { Event } from "@opencode-ai/sdk/v2/types";

type Type = Event["type"];
type Of<T extends Type> = Extract<Event, { type: T }>;

export class SdkEvents {
  readonly all: Event[] = [];
  readonly #looking = new Set<() => void>();
  #taken = 0;

  constructor(stream: AsyncIterable<unknown>) {
    // A daemon that is killed breaks its streams.
    this.#read(stream).catch(() => {});
  }

  /** The next event of that type after those already read, now or later. */
  next<T extends Type>(type: T, matches: (event: Of<T>) => boolean = () => true): Promise<Of<T>> {
    return new Promise((resolve) => {
      const look = () => {
        const index = this.all.findIndex((event, at) => at >= this.#taken && isOf(event, type) && matches(event));
        const event = this.all[index];
        if (!event || !isOf(event, type)) return;
        this.#looking.delete(look);
        this.#taken = index + 1;
        resolve(event);
      };
      this.#looking.add(look);
      look();
    });
  }

  types(): Type[] {
    return this.all.map(({ type }) => type);
  }

  async #read(stream: AsyncIterable<unknown>): Promise<void> {
    for await (const item of stream) {
      // The stream of all directories wraps each event.
      const event = isWrapped(item) ? item.payload : item;
      this.all.push(event as Event);
      for (const look of [...this.#looking]) look();
    }
  }
}

function isOf<T extends Type>(event: Event, type: T): event is Of<T> {
  return event.type === type;
}

function isWrapped(item: unknown): item is { payload: unknown } {
  return typeof item === "object" && item !== null && "payload" in item;
}

/** The data of a response. The client throws errors, but its types do not show it. */
export async function data<Data>(answer: Promise<{ data?: Data }>): Promise<Data> {
  const { data } = await answer;
  if (data === undefined) throw new Error("the answer is empty");
  return data;
}
