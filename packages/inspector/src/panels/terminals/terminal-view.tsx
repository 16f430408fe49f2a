/** A live terminal of the daemon with the state of its connection. */
import type { Terminal } from "@xterm/xterm";
import { useCallback, useState } from "react";
import type { TerminalInfo, TerminalSize } from "sandbox-agent";
import { useClient } from "../../app/connection.tsx";
import { openTerminalSocket, type SocketState } from "./terminal-socket.ts";
import styles from "./terminals.module.css";
import { XtermView } from "./xterm-view.tsx";

interface Props {
  info: Pick<TerminalInfo, "id" | "title">;
  /** Whether to focus it at once. */
  focused: boolean;
  onEnd(): void;
}

export function TerminalView({ info, focused, onEnd }: Props) {
  const client = useClient();
  const [state, setState] = useState<SocketState>({ name: "connecting" });
  const { id } = info;

  const attach = useCallback(
    (terminal: Terminal) => {
      let available: TerminalSize | null = null;
      const requestSize = () => {
        // The daemon decides, and sends the new size to every viewer.
        if (available) socket.send({ type: "resize", ...available });
      };
      const socket = openTerminalSocket(client, id, {
        onOutput: (bytes) => terminal.write(bytes),
        onResize: ({ cols, rows }) => terminal.resize(cols, rows),
        onState(state) {
          setState(state);
          if (state.name === "open") requestSize();
          if (state.name === "ended" || state.name === "gone") onEnd();
        },
      });
      if (focused) terminal.focus();
      const typed = terminal.onData((data) => socket.send({ type: "input", data }));
      return {
        onResize(size: TerminalSize) {
          available = size;
          requestSize();
        },
        close() {
          typed.dispose();
          socket.close();
        },
      };
    },
    [client, id, focused, onEnd],
  );

  return (
    <div className={styles.terminal}>
      <XtermView label={`Terminal ${info.title}`} attach={attach} />
      <StateLine state={state} />
    </div>
  );
}

function StateLine({ state }: { state: SocketState }) {
  const text = stateText(state);
  return text === "" ? null : (
    <p className={styles.state} role="status">
      {text}
    </p>
  );
}

function stateText(state: SocketState): string {
  switch (state.name) {
    case "open":
      return "";
    case "connecting":
      return "Connecting…";
    case "lost":
      return "Connection lost. Reconnecting…";
    case "gone":
      return "This terminal no longer exists.";
    case "ended":
      return state.exitCode === undefined ? "Ended." : `Ended with exit code ${state.exitCode}.`;
  }
}
