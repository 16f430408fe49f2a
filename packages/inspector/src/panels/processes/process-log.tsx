/** The output of a process, from the oldest stored entry, live. */
import type { Terminal } from "@xterm/xterm";
import { useCallback, useState } from "react";
import type { SandboxAgent } from "sandbox-agent";
import { useClient } from "../../app/connection.tsx";
import { failureText } from "../../app/failure-text.ts";
import { Notice } from "../../design/index.ts";
import { XtermView } from "../terminals/xterm-view.tsx";
import { createLogText } from "./log-text.ts";

export function ProcessLog({ id }: { id: string }) {
  const client = useClient();
  const [failure, setFailure] = useState<string | null>(null);

  const attach = useCallback(
    (terminal: Terminal) => {
      const reading = new AbortController();
      setFailure(null);
      follow(client, id, terminal, reading.signal).catch((error) => {
        if (!reading.signal.aborted) setFailure(failureText(error));
      });
      return {
        onResize: ({ cols, rows }: { cols: number; rows: number }) => terminal.resize(cols, rows),
        close: () => reading.abort(),
      };
    },
    [client, id],
  );

  if (failure !== null) return <Notice tone="bad">{failure}</Notice>;
  return <XtermView label={`Output of ${id}`} readOnly attach={attach} />;
}

async function follow(client: SandboxAgent, id: string, terminal: Terminal, signal: AbortSignal): Promise<void> {
  const textOf = createLogText();
  const entries = client.getProcessLogsStream(id, { follow: true }, { signal });
  for await (const entry of entries) terminal.write(textOf(entry));
}
