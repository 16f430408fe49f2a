/** What a session changed, in OpenCode's words: one patch for each file, and news of it while somebody listens. */
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

/** The whole diff has one section for each file, in the order of the files; one that was cut has no patch. */
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

/** A file that became a link, or the other way round, has two sections with the same first line. */
function sectionsOf(diff: string): string[] {
  const sections = diff.split(/^(?=diff --git )/m).filter((section) => section !== "");
  const byFile = Map.groupBy(sections, (section) => section.slice(0, section.indexOf("\n")));
  return [...byFile.values()].map((ofFile) => ofFile.join(""));
}

export function filesEdited(directory: string, changes: readonly FileChange[]): OpenCodeEvent[] {
  return changes.map(({ path }) => ({ type: "file.edited", properties: { file: `${directory}/${path}` } }));
}

/** Comparing a directory costs something, and its files may change many times a second. */
const pauseMs = 1000;

/** Tells what sessions have changed, once for however many changes and readers. */
export class DiffNews {
  /** Sessions whose diff is being told, and whether they have changed again since. */
  readonly #telling = new Map<string, { again: boolean }>();

  constructor(
    private readonly sessions: Sessions,
    private readonly announcements: Announcements,
  ) {}

  changed(sessionId: string): void {
    const telling = this.#telling.get(sessionId);
    if (telling) telling.again = true;
    else background("announce changed files", this.#tellAll(sessionId), sessionId);
  }

  async #tellAll(sessionId: string): Promise<void> {
    const telling = { again: true };
    this.#telling.set(sessionId, telling);
    while (telling.again) {
      telling.again = false;
      // A session that is gone, or whose files cannot be compared, has nothing to tell.
      await this.#tell(sessionId).catch(() => {});
      await Bun.sleep(pauseMs);
    }
    this.#telling.delete(sessionId);
  }

  async #tell(sessionId: string): Promise<void> {
    const session = this.sessions.get(sessionId);
    const diff = fileDiffs(await session.requireChanges().diff(null));
    const { id, directory } = factsOf(session.info());
    this.announcements.announce(directory, { type: "session.diff", properties: { sessionID: id, diff } });
  }
}
