/**
 * The connection to a terminal, kept up: when it breaks, it is opened again until the terminal has ended or is gone. The
 * daemon begins every connection with the present screen, so nothing needs to be remembered here.
 */
import type { SandboxAgent, TerminalClientFrame, TerminalServerFrame, TerminalSize } from "sandbox-agent";
import { SandboxAgentError } from "sandbox-agent";

export type SocketState =
  | { name: "connecting" | "open" | "lost" | "gone" }
  | { name: "ended"; exitCode: number | undefined };

export interface TerminalListener {
  shows(bytes: Uint8Array): void;
  resized(size: TerminalSize): void;
  becomes(state: SocketState): void;
}

export interface TerminalSocket {
  /** Dropped while there is no connection. */
  send(frame: TerminalClientFrame): void;
  close(): void;
}

const pausesMs = [250, 1000, 2500];

export function openTerminalSocket(client: SandboxAgent, id: string, listener: TerminalListener): TerminalSocket {
  let socket: WebSocket | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;
  let done = false;

  function finish(state: SocketState): void {
    done = true;
    listener.becomes(state);
  }

  function hear(data: unknown): void {
    if (data instanceof ArrayBuffer) return listener.shows(new Uint8Array(data));
    if (typeof data !== "string") return;
    const frame: TerminalServerFrame = JSON.parse(data);
    if (frame.type === "resize") listener.resized(frame);
    if (frame.type === "exit") finish({ name: "ended", exitCode: frame.exitCode });
    if (frame.type !== "ready") return;
    failures = 0;
    listener.becomes({ name: "open" });
  }

  function connect(): void {
    socket = new WebSocket(client.attachTerminal(id));
    socket.binaryType = "arraybuffer";
    socket.onmessage = ({ data }) => hear(data);
    socket.onclose = () => void tryAgain();
  }

  async function tryAgain(): Promise<void> {
    if (done) return;
    listener.becomes({ name: "lost" });
    if (await isGone()) return finish({ name: "gone" });
    if (done) return;
    timer = setTimeout(connect, pausesMs[Math.min(failures++, pausesMs.length - 1)]);
  }

  /** A browser does not say why a socket was refused; this does. */
  async function isGone(): Promise<boolean> {
    try {
      await client.getTerminal(id);
      return false;
    } catch (error) {
      return error instanceof SandboxAgentError && !error.transient;
    }
  }

  listener.becomes({ name: "connecting" });
  connect();
  return {
    send(frame) {
      if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(frame));
    },
    close() {
      done = true;
      clearTimeout(timer);
      socket?.close();
    },
  };
}
