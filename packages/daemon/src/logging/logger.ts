/**
 * Structured logs: one JSON object per line, with levels and with secrets taken out. Written by hand because the
 * libraries for it cost more start-up time than the rest of the daemon together.
 */
import { closeSync, mkdirSync, openSync, renameSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import { type KnownSecrets, redactedText } from "../secrets/known-secrets.ts";

const levels = ["debug", "info", "warn", "error", "silent"] as const;
export type LogLevel = (typeof levels)[number];
export type LogFields = Record<string, unknown>;

export interface Logger {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  /** Whether requests, and their headers, are logged. */
  readonly http: { requests: boolean; headers: boolean };
}

/** `SANDBOX_AGENT_LOG` (level), `_STDOUT`, `_DIR`, `_HTTP` and `_HTTP_HEADERS` are read from it. */
export type LogEnvironment = Record<string, string | undefined>;

export interface LogOptions {
  environment: LogEnvironment;
  /** Where the log file goes unless the environment says otherwise; null = there is no place for one. */
  directory: string | null;
  /** Values that must never appear in a log. */
  secrets: KnownSecrets;
}

export function createLogger({ environment, directory, secrets }: LogOptions): Logger {
  const { write, usualLevel } = destination(environment, directory);
  const threshold = levels.indexOf(levelFrom(environment.SANDBOX_AGENT_LOG, usualLevel));

  const at = (level: LogLevel) => {
    if (levels.indexOf(level) < threshold) return () => {};
    return (message: string, fields: LogFields = {}) => {
      const entry = { time: new Date().toISOString(), level, message };
      write(`${redacted({ ...entry, ...fields, ...entry }, secrets)}\n`, level);
    };
  };
  return {
    debug: at("debug"),
    info: at("info"),
    warn: at("warn"),
    error: at("error"),
    http: {
      requests: environment.SANDBOX_AGENT_LOG_HTTP !== "0" && threshold <= levels.indexOf("info"),
      headers: isOn(environment.SANDBOX_AGENT_LOG_HTTP_HEADERS),
    },
  };
}

function levelFrom(text: string | undefined, usual: LogLevel): LogLevel {
  if (!text) return usual;
  const level = levels.find((name) => name === text.toLowerCase());
  if (!level) throw new Error(`SANDBOX_AGENT_LOG is "${text}"; it must be one of ${levels.join(", ")}`);
  return level;
}

function isOn(text: string | undefined): boolean {
  return text !== undefined && text !== "" && text !== "0";
}

const rotateAtBytes = 16 * 1024 * 1024;

interface Destination {
  write(line: string, level: LogLevel): void;
  usualLevel: LogLevel;
}

function destination(environment: LogEnvironment, directory: string | null): Destination {
  if (isOn(environment.SANDBOX_AGENT_LOG_STDOUT)) return { write: (line) => print("stdout", line), usualLevel: "info" };
  const folder = environment.SANDBOX_AGENT_LOG_DIR || directory;
  // Without a place for a file, only what somebody should see goes to the terminal.
  if (!folder) return { write: (line) => print("stderr", line), usualLevel: "warn" };
  return { write: fileWriter(folder), usualLevel: "info" };
}

function print(name: "stdout" | "stderr", line: string): void {
  const stream = process[name];
  // A reader that is gone must not end the daemon, which it would without a listener.
  if (stream.listenerCount("error") === 0) stream.on("error", () => {});
  stream.write(line);
}

/** Warnings and errors that cannot be written to the file go to standard error: the disk that is full may be the log's own. */
function fileWriter(folder: string): Destination["write"] {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, "sandbox-agent.log");
  let file = openSync(path, "a", 0o600);
  let size = statSync(path).size;
  /** The disk had room for the beginning of the last line only. */
  let isCut = false;

  function append(line: string): void {
    if (size > rotateAtBytes) {
      renameSync(path, `${path}.1`);
      closeSync(file);
      file = openSync(path, "a", 0o600);
      [size, isCut] = [0, false];
    }
    const bytes = Buffer.from(isCut ? `\n${line}` : line);
    const written = writeSync(file, bytes);
    size += written;
    isCut = written < bytes.length;
    if (isCut) throw new Error("the disk is full");
  }

  return (line, level) => {
    // A log that cannot be written must not bring down what it reports on.
    try {
      append(line);
    } catch {
      if (levels.indexOf(level) >= levels.indexOf("warn")) print("stderr", line);
    }
  };
}

const secretName = /authorization|cookie|token|secret|password|api[-_]?key|credential/i;

/** JSON text with the values of secret-looking fields and every occurrence of known secrets replaced. */
function redacted(fields: LogFields, secrets: KnownSecrets): string {
  return JSON.stringify(fields, (name, value) => {
    if (secretName.test(name) && (typeof value === "string" || Array.isArray(value))) return redactedText;
    if (typeof value === "bigint") return String(value);
    if (value instanceof Error) return { message: value.message, stack: value.stack };
    return typeof value === "string" ? secrets.redact(value) : value;
  });
}
