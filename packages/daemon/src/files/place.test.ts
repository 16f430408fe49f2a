/** A held place stays the same, even if its path is replaced before it is used. */
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { openDirectory } from "./directory.ts";
import { listEntries } from "./entries.ts";
import { move } from "./move.ts";
import { locate } from "./place.ts";
import { openFile } from "./read.ts";
import { remove } from "./remove.ts";
import { openRoot } from "./root.ts";
import { writeFile } from "./write.ts";

/** A root with `dir/file`, and a directory outside with a `file` of the same name. */
function lab() {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "sandbox-agent-place-")));
  onTestFinished(() => rmSync(base, { recursive: true }));
  const [root, outside] = [join(base, "root"), join(base, "outside")];
  for (const directory of [root, join(root, "dir"), outside]) mkdirSync(directory);
  writeFileSync(join(root, "dir/file"), "inside");
  writeFileSync(join(outside, "file"), "secret");
  const exchange = (name: string, to: string) => {
    renameSync(join(root, name), join(root, "moved"));
    symlinkSync(to, join(root, name));
  };
  return { root, outside, exchange, tree: openRoot(root) };
}

const always = { ifMatch: null, ifNoneMatch: null };

describe("a directory replaced by a link after the path was walked", () => {
  test("is still the one that is read", () => {
    const { tree, root, outside, exchange } = lab();
    using place = locate(tree, join(root, "dir/file"), { follow: true });
    exchange("dir", outside);
    using file = openFile(place);
    expect(readFileSync(file.descriptor, "utf8")).toBe("inside");
  });

  test("is still the one that is written", async () => {
    const { tree, root, outside, exchange } = lab();
    using place = locate(tree, join(root, "dir/file"), { follow: true });
    exchange("dir", outside);
    await writeFile(place, [Buffer.from("new")], always);
    expect(readFileSync(join(root, "moved/file"), "utf8")).toBe("new");
    expect(readFileSync(join(outside, "file"), "utf8")).toBe("secret");
  });

  test("is still the one that is moved into and deleted from", async () => {
    const { tree, root, outside, exchange } = lab();
    writeFileSync(join(root, "other"), "other");
    using from = locate(tree, join(root, "other"), { follow: false });
    using to = locate(tree, join(root, "dir/file"), { follow: false });
    exchange("dir", outside);
    await move(from, to, true);
    expect(readFileSync(join(root, "moved/file"), "utf8")).toBe("other");
    await remove(to, false);
    expect(readFileSync(join(outside, "file"), "utf8")).toBe("secret");
  });
});

describe("the last name replaced by a link after the path was walked", () => {
  test("is not opened as a file", () => {
    const { tree, root, outside, exchange } = lab();
    using place = locate(tree, join(root, "dir/file"), { follow: true });
    exchange("dir/file", join(outside, "file"));
    expect(() => openFile(place)).toThrow(/ELOOP/);
  });

  test("is replaced, not written through", async () => {
    const { tree, root, outside, exchange } = lab();
    using place = locate(tree, join(root, "dir/file"), { follow: true });
    exchange("dir/file", join(outside, "file"));
    await writeFile(place, [Buffer.from("new")], always);
    expect(readFileSync(join(outside, "file"), "utf8")).toBe("secret");
  });

  test("is neither listed nor entered as a directory", async () => {
    const { tree, root, outside, exchange } = lab();
    using place = locate(tree, join(root, "dir"), { follow: true });
    exchange("dir", outside);
    await expect(listEntries(tree, place)).rejects.toThrow(/ENOTDIR/);
    expect(() => openDirectory(place.at, place.path)).toThrow(/ENOTDIR/);
  });

  test("is deleted as a link", async () => {
    const { tree, root, outside, exchange } = lab();
    using place = locate(tree, join(root, "dir"), { follow: false });
    exchange("dir", outside);
    await remove(place, true);
    expect(readFileSync(join(outside, "file"), "utf8")).toBe("secret");
  });
});

test("a path with too many steps is rejected", () => {
  const { tree, root } = lab();
  const path = `${root}/${"dir/../".repeat(6000)}dir`;
  expect(() => locate(tree, path, { follow: true })).toThrow(/too many steps/);
});

test("no descriptor stays open, whether a path exists or not", () => {
  const { tree, root } = lab();
  for (let time = 0; time < 20; time += 1) {
    locate(tree, join(root, "dir/../dir/file"), { follow: true })[Symbol.dispose]();
    expect(() => locate(tree, join(root, "dir/file/x/y"), { follow: true })).toThrow();
    expect(() => locate(tree, join(root, "dir/../../x"), { follow: true })).toThrow(/leads out/);
  }
  expect(openBelow(root)).toEqual([]);
});

/** The file descriptors that this process has open there. */
function openBelow(path: string): string[] {
  const { stdout } = Bun.spawnSync(["ls", "-l", `/proc/${process.pid}/fd`]);
  return stdout
    .toString()
    .split("\n")
    .filter((line) => line.includes(path));
}
