/**
 * The connection to a terminal. It reconnects until the terminal has ended or no longer exists. The daemon starts every
 * connection with the current screen, so nothing is stored here.
 */
import type { SandboxAgent, TerminalClientFrame, TerminalServerFrame, TerminalSize } from "sandbox-agent";
import { SandboxAgentError } from "sandbox-agent";

export type SocketState =
  | { name: "connecting" | "open" | "lost" | "gone" }
  | { name: "ended"; exitCode: number | undefined };

export interface TerminalListener {
  onOutput(bytes: Uint8Array): void;
  onResize(size: TerminalSize): void;
  onState(state: SocketState): void;
}

export interface TerminalSocket {
  /** Dropped while there is no connection. */
  send(frame: TerminalClientFrame): void;
  close(): void;
}

const reconnectDelaysMs = [250, 1000, 2500];

export function openTerminalSocket(client: SandboxAgent, id: string, listener: TerminalListener): TerminalSocket {
  let socket: WebSocket | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;
  let done = false;

  function finish(state: SocketState): void {
    done = true;
    listener.onState(state);
  }

  function onMessage(data: unknown): void {
    if (data instanceof ArrayBuffer) return listener.onOutput(new Uint8Array(data));
    if (typeof data !== "string") return;
    const frame: TerminalServerFrame = JSON.parse(data);
    if (frame.type === "resize") listener.onResize(frame);
    if (frame.type === "exit") finish({ name: "ended", exitCode: frame.exitCode });
    if (frame.type !== "ready") return;
    failures = 0;
    listener.onState({ name: "open" });
  }

  function connect(): void {
    socket = new WebSocket(client.attachTerminal(id));
    socket.binaryType = "arraybuffer";
    socket.onmessage = ({ data }) => onMessage(data);
    socket.onclose = () => void reconnect();
  }

  async function reconnect(): Promise<void> {
    if (done) return;
    listener.onState({ name: "lost" });
    if (await isGone()) return finish({ name: "gone" });
    if (done) return;
    timer = setTimeout(connect, reconnectDelaysMs[Math.min(failures++, reconnectDelaysMs.length - 1)]);
  }

  /** Browsers do not report why a socket was refused, so a request is made. */
  async function isGone(): Promise<boolean> {
    try {
      await client.getTerminal(id);
      return false;
    } catch (error) {
      return error instanceof SandboxAgentError && !error.transient;
    }
  }

  listener.onState({ name: "connecting" });
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
