/** The checks of samples notice what is wrong. */
import { describe, expect, test } from "vitest";
import { createProgram } from "../../packages/cli/src/program.ts";
import { isRunnable, mistakesIn } from "./commands.ts";

const program = await createProgram();
const mistakes = (text: string) => mistakesIn(text, program);

describe("a command line", () => {
  test.each([
    ["sandbox-agent sessions create demo --agent mock"],
    ["npx sandbox-agent run -a mock --json 'what does -x do?'   # a comment with --flags"],
    ["sandbox-agent processes run -- ls --color"],
    ["source <(sandbox-agent completion bash)"],
    ["npm run generate"],
    ["npm run dev -w @sandbox-agent/inspector"],
    ["npm install sandbox-agent --save-exact"],
  ])("is fine: %s", (line) => expect(mistakes(line)).toEqual([]));

  test.each([
    ["sandbox-agent sessions make demo", "there is no command make"],
    ["sandbox-agent run --model x --yes", "there is no --yes"],
    ["TOKEN=x sandbox-agent \\\n  agents list --colour", "there is no --colour"],
    ["npm run generat", "there is no script generat"],
  ])("is wrong: %s", (line, mistake) => expect(mistakes(line).join()).toContain(mistake));
});

test("samples of other programs are not run", () => {
  expect(
    isRunnable("TOKEN=x\ncurl http://127.0.0.1:2468 \\\n  -H 'x: y'\n\n# and\nnpx sandbox-agent agents list"),
  ).toBe(true);
  expect(isRunnable("sandbox-agent agents list\ndocker build .")).toBe(false);
});
