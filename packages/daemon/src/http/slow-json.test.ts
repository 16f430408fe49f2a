import { expect, onTestFinished, test } from "vitest";
import { slowJson } from "./slow-json.ts";

function serve(answer: Promise<string>): string {
  const server = Bun.serve({ port: 0, fetch: () => slowJson(answer, { first: 20, next: 5 }) });
  onTestFinished(() => server.stop(true));
  return server.url.href;
}

test("a response that is ready is sent unchanged", async () => {
  const response = await fetch(serve(Promise.resolve('{"a":1}')));
  expect(response.headers.get("content-type")).toBe("application/json");
  expect(await response.text()).toBe('{"a":1}');
});

test("a slow response starts with blanks, which keep the connection open", async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  const response = await fetch(serve(promise));
  const reader = response.body?.getReader();
  let text = "";
  const decoder = new TextDecoder();
  while (text.length < 3) text += decoder.decode((await reader?.read())?.value);
  expect(text.trim()).toBe("");
  resolve('{"a":1}');
  for (let read = await reader?.read(); read && !read.done; read = await reader?.read())
    text += decoder.decode(read.value);
  expect(JSON.parse(text)).toEqual({ a: 1 });
});
