/** The documentation as it is written: pages, their headings and links, and the samples in them. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export const workspace = join(import.meta.dirname, "../..");

export interface Sample {
  /** `docs/sdk.md:12`. */
  place: string;
  language: string;
  text: string;
  /** What the HTML comment above it says: `not run: …` or `given: …`. Readers do not see it. */
  note: string;
}

/** Every page that people read, by its path in the repository. */
export function pages(): string[] {
  const top = readdirSync(workspace).filter((name) => name.endsWith(".md"));
  const docs = readdirSync(join(workspace, "docs"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => join("docs", name));
  const published = ["packages/cli/README.md", "packages/sdk/README.md"];
  return [...top, ...docs, ...published].toSorted();
}

export function read(page: string): string {
  return readFileSync(join(workspace, page), "utf8");
}

/** Pages that `npm run generate` writes. Their blocks are signatures, not samples. */
export function isGenerated(page: string): boolean {
  return page.startsWith("docs/reference/");
}

export function samplesOf(page: string): Sample[] {
  const lines = read(page).split("\n");
  const samples: Sample[] = [];
  let open: { language: string; line: number; note: string; text: string[] } | null = null;
  for (const [index, line] of lines.entries()) {
    const fence = /^```(\w*)/.exec(line);
    if (!fence) open?.text.push(line);
    else if (open) {
      samples.push({ ...open, place: `${page}:${open.line}`, text: open.text.join("\n") });
      open = null;
    } else open = { language: fence[1] ?? "", line: index + 1, note: noteAbove(lines, index), text: [] };
  }
  return samples;
}

/** A comment of one or more lines that ends right above the sample. */
function noteAbove(lines: string[], index: number): string {
  if (!lines[index - 1]?.endsWith("-->")) return "";
  const start = lines.slice(0, index).findLastIndex((line) => line.startsWith("<!--"));
  return lines
    .slice(start, index)
    .join("\n")
    .replace(/^<!--\s*/, "")
    .replace(/\s*-->$/, "");
}

/** Text without code, in which nothing is a link or a heading. */
export function proseOf(page: string): string {
  return read(page)
    .replaceAll(/^```[\s\S]*?^```/gm, "")
    .replaceAll(/`[^`\n]*`/g, (code) => code.replaceAll(/[[\]()#]/g, ""));
}

/** Targets of links and pictures. */
export function linksOf(page: string): string[] {
  const prose = proseOf(page);
  return [
    ...[...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = ""]) => target),
    ...[...prose.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, target = ""]) => target),
  ];
}

/** The anchors that GitHub gives to headings: a second heading of the same name ends with `-1`. */
export function anchorsOf(page: string): Set<string> {
  const counts = new Map<string, number>();
  const headings = read(page)
    .replaceAll(/^```[\s\S]*?^```/gm, "")
    .matchAll(/^#{1,6} (.+)$/gm);
  const anchors = [...headings].map(([, heading = ""]) => {
    const slug = slugOf(heading);
    const count = counts.get(slug) ?? 0;
    counts.set(slug, count + 1);
    return count === 0 ? slug : `${slug}-${count}`;
  });
  const named = [...read(page).matchAll(/<a (?:id|name)="([^"]+)"/g)].map(([, id = ""]) => id);
  return new Set([...anchors, ...named]);
}

function slugOf(heading: string): string {
  return heading
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(/\s/g, "-");
}
