/**
 * A secret for a process, passed as an inherited file descriptor of an unlinked file. It appears in no command line, no
 * environment and no directory, and it is erased once the process has read it.
 */
import { closeSync, ftruncateSync, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface SecretFd {
  /** The descriptor to inherit; undefined if there is no secret. */
  descriptor: number | undefined;
  /** Must be called when the process has read the secret, and when it has exited. */
  erase(): void;
}

export function openSecretFd(text: string): SecretFd {
  const directory = mkdtempSync(join(tmpdir(), "sandbox-agent-"));
  const path = join(directory, "secret");
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
