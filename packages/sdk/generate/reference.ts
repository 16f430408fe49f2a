/** The SDK reference, `docs/reference/sdk.md`: a section per resource, in it one per method. */
import type { Method } from "./methods.ts";
import { signature } from "./typescript.ts";

export function sdkReference(methods: readonly Method[]): string {
  const byTag = [...Map.groupBy(methods, ({ tag }) => tag)];
  const rows = byTag.map(([tag, group]) => `| [${tag}](#${tag}) | ${group.map(link).join(" · ")} |`);
  const head = `# SDK reference

<!-- Generated from the OpenAPI document by \`npm run generate\`. Do not edit. -->

Every operation of the API is a method of the client. Arguments and answers are typed; the fields of each type are in the
[HTTP reference](http.md#schemas). For sessions as objects, streams and errors, read [TypeScript SDK](../sdk.md).

| group | methods |
|---|---|
${rows.join("\n")}`;
  const sections = byTag.map(([tag, group]) => [`## ${tag}`, ...group.map(section)].join("\n\n"));
  return `${[head, ...sections].join("\n\n")}\n`;
}

function link({ name }: Method): string {
  return `[${name}](#${name.toLowerCase()})`;
}

function section(method: Method): string {
  const { name, verb, path, summary, description, parameters } = method;
  const documented = parameters.filter(({ place, description: about }) => place !== "path" && about !== "");
  const rows = documented.map(
    ({ name: parameter, place, description: about }) =>
      `| \`${parameter}\` | ${place} | ${about.replaceAll("|", "\\|")} |`,
  );
  return [
    `### ${name}`,
    ["```ts", `client.${signature(method)}`, "```"].join("\n"),
    `${summary}.${description ? ` ${description}` : ""} (\`${verb} ${path}\`)`,
    ...(rows.length > 0 ? [["| parameter | in | |", "|---|---|---|", ...rows].join("\n")] : []),
  ].join("\n\n");
}
