/**
 * A JSON response that may take long. Clients and proxies close a silent connection, so after a while the response starts
 * with blanks, which JSON allows before a value.
 */
import { within } from "@sandbox-agent/agents";

/** Milliseconds before the first blank, and between the others. */
const defaultPauses = { first: 10_000, next: 15_000 };

export async function slowJson(answer: Promise<string>, pauses = defaultPauses): Promise<Response> {
  const headers = { "content-type": "application/json" };
  const soon = await within(pauses.first, answer);
  if (typeof soon === "string") {
    // Messages that were sent before this response are flushed first.
    await new Promise((resolve) => setImmediate(resolve));
    return new Response(soon, { headers });
  }
  const body = new ReadableStream({
    type: "direct",
    async pull(controller) {
      const blank = () => {
        controller.write(" ");
        controller.flush();
      };
      blank();
      const timer = setInterval(blank, pauses.next);
      try {
        await controller.write(await answer);
      } finally {
        clearInterval(timer);
      }
      controller.close();
    },
  });
  return new Response(body, { headers });
}
