/**
 * Minimal root directories for containers, made from files of Debian, so that no image registry is needed. On Alpine,
 * `apk add libstdc++` provides libstdc++. Debian has none for musl, so its glibc build is used, and the few glibc symbols that it
 * needs come from a library compiled here, named like glibc's loader.
 */
import { copyFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";

export const muslLoader = "/lib/ld-musl-x86_64.so.1";

/** Only the libraries that the executable links to: no shell, no Node. */
export async function glibcRootfs(binary: string): Promise<string> {
  const root = emptyRootfs();
  for (const library of await librariesOf(binary)) put(root, library, library);
  return root;
}

export async function muslRootfs(): Promise<string> {
  const root = emptyRootfs();
  put(root, muslLoader, muslLoader);
  const libraries = await librariesOf("/usr/bin/apt-get");
  for (const name of ["libstdc++.so.6", "libgcc_s.so.1"]) {
    const library = libraries.find((path) => path.endsWith(name));
    if (!library) throw new Error(`cannot find ${name}`);
    put(root, library, `/usr/lib/${name}`);
  }
  const source = join(root, "glibc.c");
  writeFileSync(source, missingInMusl);
  await Bun.$`cc -shared -fPIC -nostdlib -o ${join(root, "usr/lib/ld-linux-x86-64.so.2")} ${source}`.quiet();
  return root;
}

/** Also has a shell and the usual commands, as a base for other images. */
export async function busyboxRootfs(binary: string): Promise<string> {
  const root = await glibcRootfs(binary);
  put(root, "/bin/busybox", "/bin/busybox");
  await Bun.$`${join(root, "bin/busybox")} --install ${join(root, "bin")}`.quiet();
  return root;
}

function emptyRootfs(): string {
  const root = mkdtempSync(join(tmpdir(), "sandbox-agent-rootfs-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const directory of ["etc", "tmp", "usr/lib"]) mkdirSync(join(root, directory), { recursive: true });
  writeFileSync(join(root, "etc/passwd"), "root:x:0:0:root:/root:/bin/sh\n");
  writeFileSync(join(root, "etc/group"), "root:x:0:\n");
  return root;
}

async function librariesOf(program: string): Promise<string[]> {
  const listed = await Bun.$`ldd ${program}`.text();
  return [...listed.matchAll(/(\/\S+) \(0x/g)].map(([, path = ""]) => path);
}

function put(root: string, from: string, to: string): void {
  mkdirSync(join(root, dirname(to)), { recursive: true });
  copyFileSync(realpathSync(from), join(root, to));
}

const missingInMusl = `
typedef unsigned long size_t;
struct tm;
extern size_t strftime_l(char *, size_t, const char *, const struct tm *, void *);
extern long getrandom(void *, size_t, unsigned);
size_t __strftime_l(char *s, size_t n, const char *f, const struct tm *t, void *l) { return strftime_l(s, n, f, t, l); }
unsigned arc4random(void) { unsigned v = 0; getrandom(&v, sizeof v, 0); return v; }
int __cxa_thread_atexit_impl(void (*f)(void *), void *o, void *d) { return 0; }
char __libc_single_threaded = 0;
int _dl_find_object(void *address, void *result) { return -1; }
int __cpu_indicator_init(void) { return 0; }
struct { unsigned vendor, type, subtype, features[1]; } __cpu_model;
`;
