/**
 * Structured logs: one JSON object per line, with levels and without secrets. No library is used, because logging libraries
 * take more start-up time than the rest of the daemon together.
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
  /** The directory of the log file, unless the environment sets another; null = no log file. */
  directory: string | null;
  /** Values that must never appear in a log. */
  secrets: KnownSecrets;
}

export function createLogger({ environment, directory, secrets }: LogOptions): Logger {
  const { write, defaultLevel } = destination(environment, directory);
  const threshold = levels.indexOf(levelFrom(environment.SANDBOX_AGENT_LOG, defaultLevel));

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

function levelFrom(text: string | undefined, fallback: LogLevel): LogLevel {
  if (!text) return fallback;
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
  defaultLevel: LogLevel;
}

function destination(environment: LogEnvironment, directory: string | null): Destination {
  if (isOn(environment.SANDBOX_AGENT_LOG_STDOUT))
    return { write: (line) => print("stdout", line), defaultLevel: "info" };
  const folder = environment.SANDBOX_AGENT_LOG_DIR || directory;
  // Without a log file, only warnings and errors go to the terminal.
  if (!folder) return { write: (line) => print("stderr", line), defaultLevel: "warn" };
  return { write: fileWriter(folder), defaultLevel: "info" };
}

function print(name: "stdout" | "stderr", line: string): void {
  const stream = process[name];
  // Without a listener, an error on a closed pipe would end the daemon.
  if (stream.listenerCount("error") === 0) stream.on("error", () => {});
  stream.write(line);
}

/** Warnings and errors that cannot be written to the file, for example on a full disk, go to standard error. */
function fileWriter(folder: string): Destination["write"] {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, "sandbox-agent.log");
  let file = openSync(path, "a", 0o600);
  let size = statSync(path).size;
  /** The last line was written only in part, because the disk is full. */
  let isTruncated = false;

  function append(line: string): void {
    if (size > rotateAtBytes) {
      renameSync(path, `${path}.1`);
      closeSync(file);
      file = openSync(path, "a", 0o600);
      [size, isTruncated] = [0, false];
    }
    const bytes = Buffer.from(isTruncated ? `\n${line}` : line);
    const written = writeSync(file, bytes);
    size += written;
    isTruncated = written < bytes.length;
    if (isTruncated) throw new Error("the disk is full");
  }

  return (line, level) => {
    // A failure to log must not affect the daemon.
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
