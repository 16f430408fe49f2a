/** What a session changed, in OpenCode's form: one patch per file, announced to clients as files change. */
import { background } from "@sandbox-agent/agents";
import type { DiffResponse, FileChange, FileChangeKind } from "@sandbox-agent/schema";
import type { Sessions } from "../../session/sessions.ts";
import type { Announcements } from "./announcements.ts";
import { factsOf } from "./messages.ts";
import type { OpenCodeEvent, SnapshotFileDiff } from "./wire.ts";

const statuses: Record<FileChangeKind, NonNullable<SnapshotFileDiff["status"]>> = {
  created: "added",
  modified: "modified",
  deleted: "deleted",
  renamed: "modified",
};

/** The diff has one section per file, in the order of `files`; a truncated section is left out. */
export function fileDiffs({ files, diff, truncated }: DiffResponse): SnapshotFileDiff[] {
  const sections = sectionsOf(diff);
  const whole = truncated ? sections.slice(0, -1) : sections;
  return files.map(({ path, kind, additions, deletions }, index) => ({
    file: path,
    patch: whole[index] ?? "",
    additions,
    deletions,
    status: statuses[kind],
  }));
}

/** When a file becomes a link or a link a file, it has two sections with the same first line. */
function sectionsOf(diff: string): string[] {
  const sections = diff.split(/^(?=diff --git )/m).filter((section) => section !== "");
  const byFile = Map.groupBy(sections, (section) => section.slice(0, section.indexOf("\n")));
  return [...byFile.values()].map((ofFile) => ofFile.join(""));
}

export function filesEdited(directory: string, changes: readonly FileChange[]): OpenCodeEvent[] {
  return changes.map(({ path }) => ({ type: "file.edited", properties: { file: `${directory}/${path}` } }));
}

/** Diffs are expensive, and files may change many times a second. */
const pauseMs = 1000;

/** Announces the diffs of sessions, at most once per pause for any number of changes and readers. */
export class DiffAnnouncer {
  /** Sessions whose diff is being announced, and whether they changed again since. */
  readonly #announcing = new Map<string, { again: boolean }>();

  constructor(
    private readonly sessions: Sessions,
    private readonly announcements: Announcements,
  ) {}

  changed(sessionId: string): void {
    const announcing = this.#announcing.get(sessionId);
    if (announcing) announcing.again = true;
    else background("announce changed files", this.#announceAll(sessionId), sessionId);
  }

  async #announceAll(sessionId: string): Promise<void> {
    const announcing = { again: true };
    this.#announcing.set(sessionId, announcing);
    while (announcing.again) {
      announcing.again = false;
      // A deleted session, or one whose files cannot be compared, has no diff to announce.
      await this.#announce(sessionId).catch(() => {});
      await Bun.sleep(pauseMs);
    }
    this.#announcing.delete(sessionId);
  }

  async #announce(sessionId: string): Promise<void> {
    const session = this.sessions.get(sessionId);
    const diff = fileDiffs(await session.requireChanges().diff(null));
    const { id, directory } = factsOf(session.info());
    this.announcements.announce(directory, { type: "session.diff", properties: { sessionID: id, diff } });
  }
}
