/**
 * Mutants that no test can or should detect, with the reason. A mutant is identified by its file, the text of its line and its
 * replacement, so that an exception survives changes elsewhere in the file and expires when the line changes.
 */
import type { Mutant } from "./mutations.ts";

interface Exception {
  file: string;
  line: string;
  /** Default: all mutants of the line. */
  replacement?: string;
  reason: string;
}

const feed = "packages/sdk/src/session-feed.ts";
const announces = 'if (event.sequence >= liveFrom && event.type.endsWith(".requested")) announceSoon();';
const checkedAgain = "announce() skips announced requests and checks liveFrom itself; this only saves timers";

const opencode = "packages/agents/src/opencode/translate/translator.ts";
const forgets = "for (const [id, message] of messages) if (message.turn < turnCount - 1) messages.delete(id);";
const freesMemory = "messages of older turns get no more parts; this only frees memory";

const history = "packages/daemon/src/store/history.ts";
const eventsBeforeRecent = "if (after < (recent[0]?.sequence ?? Number.POSITIVE_INFINITY) - 1) {";
const savesQuery = "saves a query that finds nothing: rows of `events` come before recent ones";
const readerOfSession = "const reader = sessions.get(sessionNumber) ?? this.#reader(sessionNumber, from);";
const savesReading = "the same rows are read again; this only saves work";
const sessions = "packages/daemon/src/session/sessions.ts";
const openTexts = "packages/daemon/src/session/open-texts.ts";
const joinsPieces = 'if (pieces && pieces.length >= maxPieces) this.#pieces.set(data.item_id, [pieces.join("")]);';
const samePieces = "the same text in fewer pieces; this only saves memory";
const readFromLog = "an unknown text is read from the log; this only saves time";
const yieldsToRequests = "this only lets requests run between two steps";

const exceptions: Exception[] = [
  { file: feed, line: announces, replacement: "true", reason: checkedAgain },
  { file: feed, line: announces, replacement: "||", reason: checkedAgain },
  { file: feed, line: "if (event.sequence === liveFrom) announceSoon();", replacement: "true", reason: checkedAgain },
  { file: feed, line: announces, replacement: ">", reason: "follow() announces at liveFrom as well" },
  {
    file: "packages/daemon/src/store/session-table.ts",
    line: ".all(before, oldest?.number ?? 0, filter.agent ?? null, filter.directory ?? null);",
    replacement: "1",
    reason: "session numbers start at 1",
  },
  {
    file: "packages/daemon/src/store/database.ts",
    line: 'return database.query<{ user_version: number }, []>("PRAGMA user_version").get()?.user_version ?? 0;',
    replacement: "1",
    reason: "SQLite always returns a row",
  },
  {
    file: "packages/agents/src/claude/translate/blocks.ts",
    line: "counts.clear();",
    reason: "message ids are not reused; this only frees memory",
  },
  {
    file: "packages/agents/src/claude/translate/usage.ts",
    line: "const nothing: Totals = { input: 0, output: 0, cached: 0, cost: 0 };",
    reason: "a turn is the difference of two totals that both include it",
  },
  {
    file: "packages/agents/src/opencode/translate/text-parts.ts",
    line: "interrupted.clear();",
    reason: "part ids are not reused; this only frees memory",
  },
  { file: opencode, line: forgets, replacement: "2", reason: freesMemory },
  { file: opencode, line: forgets, replacement: "false", reason: freesMemory },
  { file: opencode, line: forgets, replacement: ";", reason: freesMemory },
  {
    file: "packages/daemon/src/store/encode.ts",
    line: "if (now !== last) {",
    replacement: "true",
    reason: "the same text is built again; this only saves work",
  },
  {
    file: "packages/daemon/src/store/encode.ts",
    line: "if (event.native_session_id !== native) {",
    replacement: "true",
    reason: "the same text is built again; this only saves work",
  },
  {
    file: "packages/daemon/src/store/event-rows.ts",
    line: "return text.length < compressedCharacters ? text : Bun.zstdCompressSync(text, { level: 1 });",
    replacement: "2",
    reason: "a little smaller, a little slower",
  },
  {
    file: "packages/daemon/src/store/transaction.ts",
    line: "this.bytes += event.length + (raw?.length ?? 0);",
    replacement: "1",
    reason: "an estimate, one byte larger",
  },
  {
    file: "packages/daemon/src/store/event-log.ts",
    line: "if (this.#toCompact.size === 0) this.#prune();",
    replacement: "true",
    reason: "deletes the same rows in more steps",
  },
  {
    file: "packages/daemon/src/session/journal.ts",
    line: 'if (event.type === "item.delta" && event.data.item_id === item.item_id) deltas.push(event.data.delta);',
    replacement: "true",
    reason: "other events of the item have no delta",
  },
  {
    file: "packages/daemon/src/session/journal.ts",
    line: "if ((records.at(-1)?.sequence ?? end) >= end) break;",
    replacement: "false",
    reason: "extra records are skipped; this only saves work",
  },
  {
    file: "packages/daemon/src/session/journal.ts",
    line: "for await (const records of history.pages(this.number, 0)) {",
    replacement: "1",
    reason: "the first event is session.started, which is not an item",
  },
  {
    file: "packages/daemon/src/session/history-text.ts",
    line: "if (characters > maxCharacters) break;",
    replacement: "false",
    reason: "the text is shortened anyway; this only saves work",
  },
  {
    file: "packages/daemon/src/session/history-text.ts",
    line: "characters += text.length + separator.length;",
    replacement: "-=",
    reason: "the text is shortened anyway; this only saves work",
  },
  { file: history, line: eventsBeforeRecent, replacement: "true", reason: savesQuery },
  { file: history, line: eventsBeforeRecent, replacement: "<=", reason: savesQuery },
  { file: history, line: eventsBeforeRecent, replacement: "+", reason: savesQuery },
  { file: history, line: eventsBeforeRecent, replacement: "Number.POSITIVE_INFINITY", reason: savesQuery },
  { file: history, line: readerOfSession, replacement: "this.#reader(sessionNumber, from)", reason: savesReading },
  { file: history, line: "sessions.set(sessionNumber, reader);", reason: savesReading },
  { file: history, line: "if (this.#yielded === this.#read.length) {", replacement: "true", reason: savesReading },
  {
    file: history,
    line: "const recent = this.recent.commitsFrom(position).filter((commit) => commit.position < end);",
    replacement: "<=",
    reason: "no recent commit has the position of a stored one",
  },
  {
    file: history,
    line: "const end = stored.length < pageEvents ? Number.POSITIVE_INFINITY : (stored.at(-1)?.position ?? 0);",
    replacement: "1",
    reason: "the list is not empty there",
  },
  {
    file: history,
    line: "if (slice.isOver) await slice.next();",
    replacement: "true",
    reason: "other requests run more often; this only saves time",
  },
  {
    file: history,
    line: "while (this.after < last) {",
    replacement: "<=",
    reason: "the extra record is after `last`, which also ends the loop",
  },
  {
    file: "packages/daemon/src/store/event-log.ts",
    line: "if (batches.length === 0) return;",
    replacement: "false",
    reason: "saves an empty transaction after pending batches were discarded",
  },
  {
    file: "packages/daemon/src/follow/recent-log.ts",
    line: "if (this.#readers.size === 0) return 0;",
    replacement: "1",
    reason: "the backlog is compared with millions of characters",
  },
  { file: openTexts, line: joinsPieces, replacement: "true", reason: samePieces },
  { file: openTexts, line: joinsPieces, replacement: "false", reason: samePieces },
  { file: openTexts, line: joinsPieces, replacement: ">", reason: samePieces },
  { file: openTexts, line: joinsPieces, replacement: ";", reason: samePieces },
  { file: "packages/daemon/src/session/session.ts", line: "...(texts && { texts }),", reason: readFromLog },
  { file: sessions, line: "{ ...row, state: this.#stateOf(row), ...(texts && { texts }) },", reason: readFromLog },
  {
    file: sessions,
    line: "const begins = Object.values(current.openItems).map(({ sequence }) => sequence - 1);",
    reason: readFromLog,
  },
  {
    file: sessions,
    line: "while (table.deleteEventsBefore(sessionNumber, 2 ** 32)) await Bun.sleep(0);",
    replacement: "1",
    reason: yieldsToRequests,
  },
  {
    file: sessions,
    line: "while (table.deleteEventsBefore(sessionNumber, 2 ** 32)) await Bun.sleep(0);",
    replacement: ";",
    reason: yieldsToRequests,
  },
  {
    file: "packages/daemon/src/session/retention.ts",
    line: "while (table.deleteEventsBefore(number, firstKept)) await Bun.sleep(0);",
    replacement: "1",
    reason: yieldsToRequests,
  },
  {
    file: "packages/daemon/src/session/retention.ts",
    line: "while (table.deleteEventsBefore(number, firstKept)) await Bun.sleep(0);",
    replacement: ";",
    reason: yieldsToRequests,
  },
  { file: sessions, line: "if (slice.isOver) await slice.next();", replacement: "true", reason: yieldsToRequests },
  {
    file: "packages/daemon/src/session/session.ts",
    line: "this.changes?.prepare();",
    reason: "otherwise the first turn reads the directory; this only saves time",
  },
  {
    file: sessions,
    line: "this.#unerased.delete(number);",
    reason: "deleting again does nothing; this only saves work",
  },
  {
    file: "packages/daemon/src/session/retention.ts",
    line: "if (events !== null) await trim(sessions, context, events);",
    replacement: "true",
    reason: "no session has more than null events; this only saves a query",
  },
  {
    file: "packages/daemon/src/session/agent-link.ts",
    line: "if (!this.#connection) await within(closeGraceMs, this.#closing);",
    replacement: "true",
    reason: "the opener of the connection has waited already; this only saves time",
  },
  {
    file: "packages/daemon/src/session/skill-repository.ts",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a line of a source
    line: 'const key = new Bun.CryptoHasher("sha256").update(`${address}\\n${ref}`).digest("hex").slice(0, 16);',
    replacement: "1",
    reason: "any part of the hash works",
  },
  {
    file: "packages/daemon/src/session/skill-archive.ts",
    line: 'const key = new Bun.CryptoHasher("sha256").update(bytes).digest("hex").slice(0, 16);',
    replacement: "1",
    reason: "any part of the hash works",
  },
  { file: feed, line: "setTimeout(announce, 0);", replacement: "1", reason: "a millisecond later makes no difference" },
];

export function isExcepted(mutant: Mutant, line: string): boolean {
  return exceptions.some(
    (exception) =>
      exception.file === mutant.file &&
      exception.line === line &&
      (exception.replacement === undefined || exception.replacement === mutant.replacement),
  );
}

/** The lines of exceptions that the file no longer has. */
export function expiredLines(file: string, source: string): string[] {
  const lines = new Set(source.split("\n").map((line) => line.trim()));
  return exceptions
    .filter((exception) => exception.file === file && !lines.has(exception.line))
    .map(({ line }) => line);
}
