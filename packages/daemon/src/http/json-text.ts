/** A response from JSON text, for JSON that was serialized in slices. */
export function jsonText(text: string): Response {
  return new Response(text, { headers: { "content-type": "application/json" } });
}
