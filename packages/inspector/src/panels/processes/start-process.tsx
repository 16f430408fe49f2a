/** Starts a process from a shell command line. */
import { Play } from "lucide-react";
import { type FormEvent, useState } from "react";
import type { ProcessInfo } from "sandbox-agent";
import { useClient } from "../../app/connection.tsx";
import { useSession } from "../../app/session-context.tsx";
import { Button, Input } from "../../design/index.ts";
import { panelStyles } from "../frame/panel.tsx";
import type { Action } from "../frame/use-action.ts";
import styles from "./processes.module.css";

export function StartProcess({ action, onStart }: { action: Action; onStart(process: ProcessInfo): void }) {
  const client = useClient();
  const { info } = useSession();
  const [line, setLine] = useState("");
  const [interactive, setInteractive] = useState(false);

  const start = (event: FormEvent) => {
    event.preventDefault();
    const cwd = info?.directory;
    action.run(async () => {
      const request = { command: "sh", args: ["-c", line], interactive, ...(cwd && { cwd }) };
      onStart(await client.createProcess(request));
      setLine("");
    });
  };

  return (
    <form className={styles.start} onSubmit={start}>
      <Input
        className={`${panelStyles.grow} ${panelStyles.mono}`}
        placeholder="Command, for example npm run dev"
        aria-label="Command"
        value={line}
        spellCheck={false}
        autoComplete="off"
        onChange={({ target }) => setLine(target.value)}
      />
      <label className={panelStyles.check}>
        <input type="checkbox" checked={interactive} onChange={({ target }) => setInteractive(target.checked)} />
        Interactive
      </label>
      <Button small type="submit" disabled={line.trim() === "" || action.busy}>
        <Play /> Start
      </Button>
    </form>
  );
}
