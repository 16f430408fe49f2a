/**
 * JSON that may take long. Clients and proxies give up on a connection that says nothing, so after a while the answer
 * begins with blanks, which JSON allows before a value.
 */
import { within } from "@sandbox-agent/agents";

/** Milliseconds before the first blank, and between the others. */
const usualPauses = { first: 10_000, next: 15_000 };

export async function lateAnswer(answer: Promise<string>, pauses = usualPauses): Promise<Response> {
  const headers = { "content-type": "application/json" };
  const soon = await within(pauses.first, answer);
  if (typeof soon === "string") {
    // What was said before the answer has gone out by then.
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
