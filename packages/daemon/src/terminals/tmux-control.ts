/** A tmux client in control mode: it sends commands and receives replies and pane output as lines of text. */
import { background } from "@sandbox-agent/agents";

interface Asked {
  resolve(lines: string[]): void;
  reject(error: Error): void;
}

const backslash = 92;
const newline = 10;

export class TmuxControl {
  onOutput: (paneId: string, bytes: Uint8Array) => void = () => {};
  /** Windows or panes were added, removed or resized. */
  onChange: () => void = () => {};
  onEnd: () => void = () => {};
  readonly #child: Bun.Subprocess<"pipe", "pipe", "ignore">;
  readonly #asked: Asked[] = [];
  /** The reply that is being read. The first belongs to the attach itself, not to a command. */
  #answer: { number: string; lines: string[]; wanted: boolean } | null = null;
  #pending = 0;

  constructor(args: readonly string[], env: Record<string, string>) {
    this.#child = Bun.spawn(["tmux", ...args], {
      env,
      stdin: "pipe",
      stdout: "pipe",
      stderr: "ignore",
      detached: true,
    });
    background(
      "read from tmux",
      this.#read().finally(() => this.#end()),
    );
  }

  get pendingInput(): number {
    return this.#pending;
  }

  /** Runs a command; resolves to the lines it prints. */
  ask(command: string): Promise<string[]> {
    return new Promise((resolve, reject) => {
      this.#asked.push({ resolve, reject });
      this.#write(`${command}\n`);
    });
  }

  /** Runs a command without waiting for its reply. */
  send(command: string): void {
    this.ask(command).catch(() => {});
  }

  close(): void {
    this.#child.kill("SIGTERM");
  }

  #write(line: string): void {
    this.#pending += line.length;
    const taken = () => void (this.#pending -= line.length);
    this.#child.stdin.write(line);
    Promise.resolve(this.#child.stdin.flush()).then(taken, taken);
  }

  #end(): void {
    for (const { reject } of this.#asked.splice(0)) reject(new Error("tmux has ended"));
    this.onEnd();
  }

  async #read(): Promise<void> {
    let rest: Uint8Array = new Uint8Array();
    for await (const chunk of this.#child.stdout) {
      const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      let start = 0;
      for (let end = bytes.indexOf(newline); end !== -1; end = bytes.indexOf(newline, start)) {
        this.#line(bytes.subarray(start, end));
        start = end + 1;
      }
      rest = bytes.slice(start);
    }
  }

  #line(line: Uint8Array): void {
    // Output may contain any bytes and split characters, so it is parsed as bytes.
    const output = /^%output (%\d+) /.exec(Buffer.from(line.subarray(0, 32)).toString("latin1"));
    const text = () => Buffer.from(line).toString("utf8");
    if (this.#answer) return this.#answerLine(text(), this.#answer);
    if (output?.[1]) return this.onOutput(output[1], plainBytes(line.subarray(output[0].length)));
    const [word, , number = "", flags] = text().split(" ");
    if (word === "%begin") this.#answer = { number, lines: [], wanted: flags === "1" };
    if (word === "%layout-change" || word?.endsWith("window-close") || word === "%session-window-changed")
      this.onChange();
  }

  #answerLine(text: string, answer: { number: string; lines: string[]; wanted: boolean }): void {
    const [word, , number] = text.split(" ");
    const isEnd = (word === "%end" || word === "%error") && number === answer.number;
    if (!isEnd) return void answer.lines.push(text);
    this.#answer = null;
    if (!answer.wanted) return;
    const asked = this.#asked.shift();
    if (word === "%end") asked?.resolve(answer.lines);
    else asked?.reject(new Error(answer.lines.join(" ")));
  }
}

/** tmux writes control characters and backslashes as `\ooo`. */
function plainBytes(bytes: Uint8Array): Uint8Array {
  const plain = new Uint8Array(bytes.length);
  let length = 0;
  for (let index = 0; index < bytes.length; index++) {
    const isEscape = bytes[index] === backslash;
    plain[length++] = isEscape
      ? Number.parseInt(String.fromCharCode(...bytes.subarray(index + 1, index + 4)), 8)
      : (bytes[index] ?? 0);
    if (isEscape) index += 3;
  }
  return plain.slice(0, length);
}
