/** Writes the README's list of methods: a block per resource, and in it one per method. */
import type { Method } from "./methods.ts";
import { signature } from "./typescript.ts";

const marks = { open: "<!-- sdk methods -->", close: "<!-- /sdk methods -->" };

export function withMethods(readme: string, methods: readonly Method[]): string {
  const [before, rest] = readme.split(marks.open);
  const after = rest?.split(marks.close)[1];
  if (before === undefined || after === undefined)
    throw new Error("the README has no place for the methods of the SDK");
  return `${before}${marks.open}\n${methodBlocks(methods)}\n${marks.close}${after}`;
}

function methodBlocks(methods: readonly Method[]): string {
  const byTag = [...Map.groupBy(methods, ({ tag }) => tag)];
  return byTag
    .map(([tag, group]) => {
      const title = `<summary>${tag}: ${group.map(({ name }) => `<code>${name}</code>`).join(" ")}</summary>`;
      return `<details>${title}\n\n${group.map(methodBlock).join("\n")}\n</details>`;
    })
    .join("\n");
}

function methodBlock(method: Method): string {
  const { name, verb, path, summary, description, parameters } = method;
  const documented = parameters.filter(({ place, description: about }) => place !== "path" && about !== "");
  const rows = documented.map(
    ({ name: parameter, place, description: about }) => `| \`${parameter}\` | ${place} | ${about} |`,
  );
  return [
    `<details><summary><code>${name}</code> ${escapeHtml(summary)}</summary>`,
    "",
    "```ts",
    `client.${signature(method)}`,
    "```",
    `\`${verb} ${path}\`${description ? `. ${description}` : ""}`,
    ...(rows.length > 0 ? ["", "| | | |", "|---|---|---|", ...rows] : []),
    "</details>",
  ].join("\n");
}

function escapeHtml(words: string): string {
  return words.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
