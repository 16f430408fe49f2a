/** The requests that benchmarks make. */
export async function post(url: string, path: string, body: unknown): Promise<void> {
  const response = await fetch(url + path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  await response.arrayBuffer();
}
