/**
 * A text for a process that nobody else is to see: an open file without a name, inherited as a descriptor. It is in no
 * command line, no environment and no directory; once it has been read and erased, nobody can read it again.
 */
import { closeSync, ftruncateSync, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface HandedFile {
  /** What the process is to inherit; undefined when there is nothing to hand over. */
  descriptor: number | undefined;
  /** To be called when the process has read it, and when it is gone. */
  erase(): void;
}

export function handFile(text: string): HandedFile {
  const directory = mkdtempSync(join(tmpdir(), "sandbox-agent-"));
  const path = join(directory, "handed");
  writeFileSync(path, text, { mode: 0o600 });
  const descriptor = openSync(path, "r+");
  rmSync(directory, { recursive: true });
  let isOpen = true;
  return {
    descriptor,
    erase() {
      if (!isOpen) return;
      isOpen = false;
      ftruncateSync(descriptor);
      closeSync(descriptor);
    },
  };
}
