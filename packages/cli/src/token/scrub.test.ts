import { Option } from "commander";
import { describe, expect, test } from "vitest";
import { tokenDescriptorOption, tokenOptions } from "./given-token.ts";
import { withoutToken } from "./scrub.ts";

const options = [
  ...tokenOptions(),
  tokenDescriptorOption(),
  new Option("-H, --host <host>"),
  new Option("-C, --cors-allow-credentials"),
  new Option("--fs-root <path>"),
];

describe("a command line without its token", () => {
  test.each([
    ["server --token T", "server"],
    ["-t T server --token=T -tT", "server"],
    ["server --token-file F --token-fd 3 --host h", "server --host h"],
    ["server -Ct T -CtT", "server -C -C"],
    ["server -Hlocalhost --fs-root -t T", "server -Hlocalhost --fs-root -t T"],
    ["server --host -t --token T", "server --host -t"],
    ["server -n --unknown -t", "server -n --unknown"],
    ["server", "server"],
  ])("%s", (before, after) => {
    expect(withoutToken(before.split(" "), options).join(" ")).toBe(after);
  });
});
