/** The inspector as the daemon serves it. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { startTestDaemon } from "../harness/daemon.ts";

const dist = join(import.meta.dirname, "../../packages/inspector/dist");

const Manifest = z.record(
  z.string(),
  z.object({
    file: z.string(),
    isEntry: z.boolean().optional(),
    imports: z.array(z.string()).default([]),
    css: z.array(z.string()).default([]),
  }),
);

/** The files that the browser loads for the first render. */
function firstLoad(): string[] {
  const manifest = Manifest.parse(JSON.parse(readFileSync(join(dist, ".vite/manifest.json"), "utf8")));
  const files = new Set(["index.html"]);
  const visit = (name: string) => {
    const chunk = manifest[name];
    if (!chunk || files.has(chunk.file)) return;
    for (const file of [chunk.file, ...chunk.css]) files.add(file);
    chunk.imports.forEach(visit);
  };
  for (const [name, { isEntry }] of Object.entries(manifest)) if (isEntry) visit(name);
  return [...files];
}

describe("the inspector", () => {
  test("loads at most 350 kB, gzipped, for the first render", () => {
    const files = firstLoad();
    expect(files.length).toBeGreaterThan(2);
    const zipped = files.map((file) => Bun.gzipSync(new Uint8Array(readFileSync(join(dist, file)))).length);
    expect(zipped.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(350_000);
  });

  test("may load nothing from other hosts", async () => {
    const { url } = await startTestDaemon();
    const response = await fetch(`${url}/ui/sessions/any`);
    expect(response.headers.get("content-security-policy")).toMatch(/^default-src 'self';/);
    expect(await response.text()).not.toMatch(/(src|href)="(https?:)?\/\//);
  });

  test("is cached by browsers until it changes, and sent compressed", async () => {
    const { url } = await startTestDaemon();
    const page = await fetch(`${url}/ui/`);
    expect(page.headers.get("cache-control")).toBe("no-cache");
    const [, script] = (await page.text()).match(/src="(\/ui\/assets\/[^"]+\.js)"/) ?? [];
    const asset = await fetch(url + script, { headers: { "accept-encoding": "gzip" }, decompress: false });
    expect(Object.fromEntries(asset.headers)).toMatchObject({
      "cache-control": "public, max-age=31536000, immutable",
      "content-encoding": "gzip",
      "content-type": expect.stringMatching(/^text\/javascript/),
    });
    const plain = await fetch(url + script, { headers: { "accept-encoding": "identity" } });
    expect(plain.headers.get("content-encoding")).toBeNull();
    expect(await plain.text()).toBe(readFileSync(join(dist, (script ?? "").slice("/ui/".length)), "utf8"));
  });
});
