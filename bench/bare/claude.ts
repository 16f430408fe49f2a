/** Claude Code over stream-json: one process for all turns, or one per turn. */
import { LineSplitter } from "../../packages/agents/src/process/lines.ts";
import { type BareAgent, type BareOptions, baseEnvironment, stopwatch } from "./bare.ts";

const protocol = ["--print", "--output-format", "stream-json", "--verbose", "--include-partial-messages"];

function environment(options: BareOptions): Record<string, string> {
  return {
    ...baseEnvironment(options),
    ANTHROPIC_API_KEY: "test-key",
    ANTHROPIC_BASE_URL: options.modelUrl,
    DISABLE_AUTOUPDATER: "1",
    DISABLE_TELEMETRY: "1",
    DISABLE_ERROR_REPORTING: "1",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  };
}

interface Line {
  type?: string;
  event?: { type?: string; delta?: { type?: string } };
}

function isTextDelta({ type, event }: Line): boolean {
  return type === "stream_event" && event?.delta?.type === "text_delta";
}

export function bareClaude(options: BareOptions): BareAgent {
  let watch = stopwatch();
  const child = Bun.spawn(
    [options.program, ...protocol, "--input-format", "stream-json", "--permission-prompt-tool", "stdio"],
    { cwd: options.directory, env: environment(options), stdin: "pipe", stdout: "pipe", stderr: "ignore" },
  );
  void readLines(child.stdout, (line) => {
    if (isTextDelta(line)) watch.first();
    if (line.type === "result") watch.done();
  });
  return {
    turn(prompt) {
      watch = stopwatch();
      child.stdin.write(`${JSON.stringify({ type: "user", message: { role: "user", content: prompt } })}\n`);
      child.stdin.flush();
      return watch.result;
    },
    async close() {
      child.kill("SIGKILL");
      await child.exited;
    },
  };
}

/** Without a long-lived process: each message starts the program again and resumes the conversation. */
export function claudePerTurn(options: BareOptions): BareAgent {
  const sessionId = crypto.randomUUID();
  let started = false;
  return {
    async turn(prompt) {
      const conversation = started ? ["--resume", sessionId] : ["--session-id", sessionId];
      started = true;
      const watch = stopwatch();
      const child = Bun.spawn([options.program, ...protocol, ...conversation, "--", prompt], {
        cwd: options.directory,
        env: environment(options),
        stdin: "ignore",
        stdout: "pipe",
        stderr: "ignore",
      });
      await readLines(child.stdout, (line) => {
        if (isTextDelta(line)) watch.first();
      });
      await child.exited;
      watch.done();
      return watch.result;
    },
    close: async () => {},
  };
}

async function readLines(stdout: ReadableStream<Uint8Array>, each: (line: Line) => void): Promise<void> {
  const splitter = new LineSplitter();
  for await (const chunk of stdout) for (const line of splitter.push(chunk)) each(JSON.parse(line));
}
