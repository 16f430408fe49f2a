/** An answer whose JSON was made in slices. */
export function jsonText(text: string): Response {
  return new Response(text, { headers: { "content-type": "application/json" } });
}
