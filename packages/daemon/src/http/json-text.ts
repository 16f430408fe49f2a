/** An answer whose JSON exists as text already, as when it was made in slices. */
export function jsonText(text: string): Response {
  return new Response(text, { headers: { "content-type": "application/json" } });
}
