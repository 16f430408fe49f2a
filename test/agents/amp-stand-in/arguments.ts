/** The command line, as strictly as Amp takes it: a flag that its help does not list is fatal. */
export interface Arguments {
  threadId: string | null;
  values: Map<string, string>;
}

export function readArguments(args: readonly string[], help: string): Arguments | { unknown: string } {
  const takesValue = new Map<string, boolean>();
  for (const [, flag = "", value] of help.matchAll(/^ {2}(?:-\w+, )?(--[\w-]+)(?: (<\w+>|\[\w+\]))?$/gm))
    takesValue.set(flag, value?.startsWith("<") ?? false);
  const rest = [...args];
  const threadId = rest[0] === "threads" && rest[1] === "continue" ? (rest.splice(0, 3)[2] ?? null) : null;
  const values = new Map<string, string>();
  for (let flag = rest.shift(); flag !== undefined; flag = rest.shift()) {
    if (!takesValue.has(flag)) return { unknown: flag };
    values.set(flag, takesValue.get(flag) ? (rest.shift() ?? "") : "");
  }
  return { threadId, values };
}
