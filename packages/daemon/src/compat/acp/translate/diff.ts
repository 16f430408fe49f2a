/** Converts unified diffs to ACP's form: the text before and after, one pair per hunk. Pure. */
import type { Diff } from "@agentclientprotocol/sdk/unstable";

const hunkStart = /^@@ -(\d+)(?:,(\d+))? \+\d+(?:,\d+)? @@/;

export function diffsOf(path: string, unified: string): Diff[] {
  const diffs: Diff[] = [];
  let before: string[] = [];
  let after: string[] = [];
  let isNew = false;
  let inside = false;

  const finish = () => {
    if (inside) diffs.push({ path, oldText: isNew ? null : textOf(before), newText: textOf(after) });
    before = [];
    after = [];
  };
  for (const line of unified.split("\n")) {
    const start = line.match(hunkStart);
    if (start) {
      finish();
      inside = true;
      isNew = start[1] === "0" && start[2] === "0";
    } else if (line.startsWith("-")) before.push(line.slice(1));
    else if (line.startsWith("+")) after.push(line.slice(1));
    else if (line.startsWith(" ")) {
      before.push(line.slice(1));
      after.push(line.slice(1));
    }
  }
  finish();
  return diffs;
}

function textOf(lines: string[]): string {
  return lines.map((line) => `${line}\n`).join("");
}
