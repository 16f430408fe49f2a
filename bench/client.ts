/** The requests that benchmarks make. */
export function post(url: string, path: string, body: unknown): Promise<void> {
  return send("POST", url, path, body);
}

export function put(url: string, path: string, body: unknown): Promise<void> {
  return send("PUT", url, path, body);
}

async function send(method: string, url: string, path: string, body: unknown): Promise<void> {
  const response = await fetch(url + path, {
    method,
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path} failed with ${response.status}: ${await response.text()}`);
  await response.arrayBuffer();
}
