/** Reads server-sent events from a response. */
export interface SseFrame {
  id: string;
  data: string;
}

export async function* readFrames(response: Response): AsyncGenerator<SseFrame> {
  if (!response.body) throw new Error("the response has no body");
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of response.body) {
    const blocks = (rest + decoder.decode(chunk, { stream: true })).split("\n\n");
    rest = blocks.pop() ?? "";
    for (const block of blocks) {
      const frame = parseBlock(block);
      if (frame) yield frame;
    }
  }
}

function parseBlock(block: string): SseFrame | null {
  const fields = new Map(
    block.split("\n").map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2)]),
  );
  const data = fields.get("data");
  return data === undefined ? null : { id: fields.get("id") ?? "", data };
}
