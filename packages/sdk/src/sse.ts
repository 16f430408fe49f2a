/** Parses the server-sent events of a response. Reads no faster than the caller consumes the frames. */
import { createParser } from "eventsource-parser";

export interface Frame {
  /** Empty if the frame has none. */
  id: string;
  /** The name of the event; most have none. */
  event?: string;
  data: string;
}

/** `onBytes` is called for every chunk, even if it has only the comments that the server sends to keep the connection alive. */
export async function* readFrames(response: Response, onBytes: () => void = () => {}): AsyncGenerator<Frame> {
  if (!response.body) return;
  let frames: Frame[] = [];
  const parser = createParser({
    onEvent: ({ id = "", event, data }) => frames.push({ id, data, ...(event && { event }) }),
  });
  const decoder = new TextDecoder();
  const reader = response.body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      onBytes();
      parser.feed(decoder.decode(value, { stream: true }));
      const complete = frames;
      frames = [];
      yield* complete;
    }
  } finally {
    // Closes the connection if the caller stops early.
    await reader.cancel().catch(() => {});
  }
}
