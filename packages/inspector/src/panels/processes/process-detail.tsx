/** One process: its output or terminal, an input line, and buttons to stop it. */
import { Ellipsis, Square, Trash2 } from "lucide-react";
import { type FormEvent, useCallback, useState } from "react";
import type { ProcessInfo, SignalName, TerminalInfo } from "sandbox-agent";
import { useClient } from "../../app/connection.tsx";
import { Button, IconButton, Input, Menu } from "../../design/index.ts";
import { Detail, panelStyles } from "../frame/panel.tsx";
import type { Action } from "../frame/use-action.ts";
import { TerminalView } from "../terminals/terminal-view.tsx";
import { ProcessLog } from "./process-log.tsx";
import { commandLine } from "./process-text.ts";
import styles from "./processes.module.css";

const signals: readonly SignalName[] = ["SIGINT", "SIGHUP", "SIGUSR1", "SIGUSR2", "SIGSTOP", "SIGCONT"];

interface Props {
  process: ProcessInfo;
  action: Action;
  onClose(): void;
}

export function ProcessDetail({ process, action, onClose }: Props) {
  const { id, status, interactive, tty, pid, cwd } = process;
  const isRunning = status === "running";
  return (
    <Detail title={commandLine(process)} actions={<Actions process={process} action={action} />} onClose={onClose}>
      <div className={styles.detail}>
        <p className={styles.facts}>
          {pid !== undefined && <span>pid {pid}</span>}
          <span className={panelStyles.mono}>{cwd}</span>
        </p>
        {tty ? <ProcessTerminal process={process} /> : <ProcessLog id={id} />}
        {interactive && !tty && isRunning && <WriteLine id={id} action={action} />}
      </div>
    </Detail>
  );
}

function Actions({ process: { id, status }, action }: Pick<Props, "process" | "action">) {
  const client = useClient();
  if (status !== "running") {
    return (
      <IconButton label="Remove process" small onClick={() => action.run(() => client.deleteProcess(id))}>
        <Trash2 />
      </IconButton>
    );
  }
  return (
    <>
      <Button small onClick={() => action.run(() => client.stopProcess(id, { wait_ms: 2000 }))}>
        <Square /> Stop
      </Button>
      <Menu
        trigger={
          <IconButton label="Signals" small>
            <Ellipsis />
          </IconButton>
        }
        items={[
          ...signals.map((signal) => ({
            label: signal,
            onSelect: () => action.run(() => client.signalProcess(id, { signal })),
          })),
          {
            label: "Kill",
            danger: true,
            onSelect: () => action.run(() => client.killProcess(id, { wait_ms: 2000 })),
          },
        ]}
      />
    </>
  );
}

/** A process and its terminal have the same id. */
function ProcessTerminal({ process }: { process: ProcessInfo }) {
  const info: Pick<TerminalInfo, "id" | "title"> = { id: process.id, title: commandLine(process) };
  const ignore = useCallback(() => {}, []);
  return <TerminalView info={info} focused={false} onEnd={ignore} />;
}

function WriteLine({ id, action }: { id: string; action: Action }) {
  const client = useClient();
  const [line, setLine] = useState("");
  const write = (event: FormEvent) => {
    event.preventDefault();
    action.run(() => client.writeProcessInput(id, { data: `${line}\n`, encoding: "utf8" }));
    setLine("");
  };
  return (
    <form className={styles.write} onSubmit={write}>
      <Input
        className={panelStyles.mono}
        aria-label="Input line"
        placeholder="Type a line of input"
        value={line}
        autoComplete="off"
        spellCheck={false}
        onChange={({ target }) => setLine(target.value)}
      />
      <Button small type="submit">
        Send
      </Button>
    </form>
  );
}
