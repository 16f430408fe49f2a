import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { KnownSecrets } from "../secrets/known-secrets.ts";
import { createLogger, type LogEnvironment, type Logger } from "./logger.ts";

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "sandbox-agent-logs-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
});

function logger(environment: LogEnvironment = {}, secrets: string[] = []): Logger {
  return createLogger({ environment, directory, secrets: new KnownSecrets(secrets) });
}

function logFile(folder = directory): string {
  return join(folder, "sandbox-agent.log");
}

function lines(path = logFile()): Record<string, unknown>[] {
  return parsed(readFileSync(path, "utf8"));
}

function parsed(text: string): Record<string, unknown>[] {
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}

function messages(text: string): unknown[] {
  return parsed(text).map(({ message }) => message);
}

function logAll({ debug, info, warn, error }: Logger): void {
  debug("debug");
  info("info");
  warn("warn");
  error("error");
}

describe("a line of the log", () => {
  test("is a JSON object with time, level, message and fields", () => {
    logger().info("started", { port: 2468, path: null });
    expect(lines()).toEqual([{ time: expect.any(String), level: "info", message: "started", port: 2468, path: null }]);
  });

  test("has the current time", () => {
    const before = Date.now();
    logger().info("started");
    expect(Date.parse(String(lines()[0]?.time))).toBeGreaterThanOrEqual(before);
  });

  test("is appended", () => {
    const log = logger();
    log.info("first");
    log.info("second\nwith a second line");
    expect(lines().map(({ message }) => message)).toEqual(["first", "second\nwith a second line"]);
  });

  test("has message and stack of an error", () => {
    logger().error("failed", { error: new Error("broken") });
    expect(lines()).toMatchObject([{ error: { message: "broken", stack: expect.stringContaining("logger.test.ts") } }]);
  });
});

describe("the level", () => {
  test.each<[string | undefined, string[]]>([
    [undefined, ["info", "warn", "error"]],
    ["", ["info", "warn", "error"]],
    ["debug", ["debug", "info", "warn", "error"]],
    ["info", ["info", "warn", "error"]],
    ["warn", ["warn", "error"]],
    ["ERROR", ["error"]],
    ["silent", []],
  ])("%j lets through %j", (level, expected) => {
    logAll(logger({ SANDBOX_AGENT_LOG: level }));
    expect(lines().map(({ message }) => message)).toEqual(expected);
  });

  test("that does not exist is rejected with the list of levels", () => {
    expect(() => logger({ SANDBOX_AGENT_LOG: "loud" })).toThrow(
      'SANDBOX_AGENT_LOG is "loud"; it must be one of debug, info, warn, error, silent',
    );
  });
});

describe("requests are logged", () => {
  test.each<[boolean, LogEnvironment]>([
    [true, {}],
    [true, { SANDBOX_AGENT_LOG_HTTP: "1" }],
    [false, { SANDBOX_AGENT_LOG_HTTP: "0" }],
    [true, { SANDBOX_AGENT_LOG: "debug" }],
    [false, { SANDBOX_AGENT_LOG: "warn" }],
  ])("%j with %j", (requests, environment) => {
    expect(logger(environment).http.requests).toBe(requests);
  });

  test.each<[boolean, LogEnvironment]>([
    [false, {}],
    [false, { SANDBOX_AGENT_LOG_HTTP_HEADERS: "0" }],
    [true, { SANDBOX_AGENT_LOG_HTTP_HEADERS: "1" }],
  ])("with their headers: %j with %j", (headers, environment) => {
    expect(logger(environment).http.headers).toBe(headers);
  });
});

describe("a secret is redacted", () => {
  test.each([
    "authorization",
    "Authorization",
    "proxy-authorization",
    "cookie",
    "set-cookie",
    "token",
    "accessToken",
    "client_secret",
    "password",
    "apiKey",
    "api_key",
    "x-api-key",
    "ANTHROPIC_API_KEY",
    "credential",
  ])("of the field %s", (name) => {
    logger().info("request", { [name]: "hush" });
    expect(lines()).toMatchObject([{ [name]: "[redacted]" }]);
  });

  test("of fields inside fields", () => {
    logger().info("request", { headers: { authorization: "Bearer hush", accept: "*/*" } });
    expect(lines()).toMatchObject([{ headers: { authorization: "[redacted]", accept: "*/*" } }]);
  });

  test("wherever its value is known", () => {
    logger({}, ["hush-hush"]).info("GET /v1?access_token=hush-hush", {
      url: "http://x/?t=hush-hush",
      list: ["hush-hush hush-hush"],
    });
    expect(lines()).toMatchObject([
      {
        message: "GET /v1?access_token=[redacted]",
        url: "http://x/?t=[redacted]",
        list: ["[redacted] [redacted]"],
      },
    ]);
  });

  test("from errors", () => {
    logger({}, ["hush-hush"]).error("failed", { error: new Error("bad token hush-hush") });
    expect(readFileSync(logFile(), "utf8")).not.toContain("hush-hush");
  });

  test.each(['hush"hush', "hush\\hush"])("also if it is %s", (secret) => {
    logger({}, [secret]).info("request", { url: `/v1?access_token=${secret}` });
    expect(lines()).toMatchObject([{ url: "/v1?access_token=[redacted]" }]);
  });

  test("of every element of a secret list", () => {
    logger().info("response", { "set-cookie": ["hush", "hush"] });
    expect(readFileSync(logFile(), "utf8")).not.toContain("hush");
  });
});

describe("the log goes", () => {
  /** The messages on standard output and standard error of a process that informs and warns. */
  function output(environment: LogEnvironment, place: string | null): { stdout: unknown[]; stderr: unknown[] } {
    const options = JSON.stringify({ environment, directory: place });
    const script = `
      import { createLogger } from ${JSON.stringify(join(import.meta.dirname, "logger.ts"))};
      import { KnownSecrets } from ${JSON.stringify(join(import.meta.dirname, "../secrets/known-secrets.ts"))};
      const log = createLogger({ ...${options}, secrets: new KnownSecrets() });
      log.info("hello");
      log.warn("careful");`;
    const { stdout, stderr } = Bun.spawnSync([process.execPath, "-e", script]);
    return { stdout: messages(stdout.toString()), stderr: messages(stderr.toString()) };
  }

  test("to a file in its directory, which is created if needed", () => {
    const nested = join(directory, "a", "b");
    createLogger({ environment: {}, directory: nested, secrets: new KnownSecrets() }).info("hello");
    expect(lines(logFile(nested))).toMatchObject([{ message: "hello" }]);
  });

  test("to the directory set in the environment", () => {
    const elsewhere = join(directory, "elsewhere");
    logger({ SANDBOX_AGENT_LOG_DIR: elsewhere }).info("hello");
    expect([existsSync(logFile()), lines(logFile(elsewhere)).length]).toEqual([false, 1]);
  });

  test("after the existing content of the file", () => {
    logger().info("first run");
    logger().info("second run");
    expect(lines().map(({ message }) => message)).toEqual(["first run", "second run"]);
  });

  test("only to standard output when that is set", () => {
    const { stdout, stderr } = output({ SANDBOX_AGENT_LOG_STDOUT: "1" }, directory);
    expect([stdout, stderr, readdirSync(directory)]).toEqual([["hello", "careful"], [], []]);
  });

  test("to standard error, from warnings on, without a log file", () => {
    expect(output({}, null)).toEqual({ stdout: [], stderr: ["careful"] });
  });

  test("to standard error from another level on, if one is set", () => {
    expect(output({ SANDBOX_AGENT_LOG: "info" }, null).stderr).toEqual(["hello", "careful"]);
  });

  test.skipIf(!existsSync("/dev/full"))("to standard error, warnings only, while its disk is full", () => {
    symlinkSync("/dev/full", logFile());
    expect(output({}, directory)).toEqual({ stdout: [], stderr: ["careful"] });
  });

  test("on when its file cannot be renamed", () => {
    writeFileSync(logFile(), "");
    truncateSync(logFile(), 17 * 1024 * 1024);
    const log = logger();
    rmSync(directory, { recursive: true });
    expect(() => log.info("hello")).not.toThrow();
  });
});

describe("a log file of more than 16 MiB", () => {
  const limit = 16 * 1024 * 1024;

  function logFileOf(size: number): void {
    writeFileSync(logFile(), "");
    truncateSync(logFile(), size);
  }

  test("is rotated before the next line", () => {
    logFileOf(limit + 1);
    logger().info("first line");
    expect([statSync(`${logFile()}.1`).size, lines().length]).toEqual([limit + 1, 1]);
  });

  test("is rotated while it is in use", () => {
    logFileOf(limit - 10);
    const log = logger();
    log.info("the last line of the old file");
    log.info("the first of the new one");
    log.info("the second of the new one");
    expect(lines().map(({ message }) => message)).toEqual(["the first of the new one", "the second of the new one"]);
  });

  test("replaces the previously rotated file", () => {
    writeFileSync(`${logFile()}.1`, "older");
    logFileOf(limit + 1);
    logger().info("hello");
    expect(readdirSync(directory).toSorted()).toEqual(["sandbox-agent.log", "sandbox-agent.log.1"]);
  });

  test("stays in use while it is not larger", () => {
    logFileOf(limit);
    logger().info("hello");
    expect(existsSync(`${logFile()}.1`)).toBe(false);
  });

  test.runIf(process.platform === "linux")("is closed", () => {
    logFileOf(limit + 1);
    logger().info("hello");
    expect(openFiles()).not.toContain(`${logFile()}.1`);
  });

  function openFiles(): string[] {
    const descriptors = readdirSync("/proc/self/fd").map((descriptor) => `/proc/self/fd/${descriptor}`);
    return descriptors.filter((path) => existsSync(path)).map((path) => readlinkSync(path));
  }
});
