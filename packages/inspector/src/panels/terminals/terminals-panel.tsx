/** Terminals of processes, agents and tmux, and new shells. */
import { useQuery } from "@tanstack/react-query";
import { Ellipsis, Plus, SquareTerminal } from "lucide-react";
import { useState } from "react";
import type { SandboxAgent, TerminalInfo } from "sandbox-agent";
import { useClient } from "../../app/connection.tsx";
import { useSession } from "../../app/session-context.tsx";
import { Button, EmptyState, IconButton, Menu, type MenuItem, Spinner } from "../../design/index.ts";
import { Failure, Panel, panelStyles } from "../frame/panel.tsx";
import { Prompt } from "../frame/prompt.tsx";
import { saveFile } from "../frame/save-file.ts";
import { type Action, useAction } from "../frame/use-action.ts";
import { startShell } from "./new-shell.ts";
import { TerminalView } from "./terminal-view.tsx";
import styles from "./terminals.module.css";

export default function TerminalsPanel() {
  const client = useClient();
  const { info } = useSession();
  const [chosen, choose] = useState<string | null>(null);
  const [opened, setOpened] = useState<string | null>(null);
  const [attachingTmux, setAttachingTmux] = useState(false);
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ["terminals"],
    queryFn: ({ signal }) => client.listTerminals({ signal }),
    refetchInterval: 3000,
  });
  const action = useAction(["terminals"]);
  const terminals = data?.terminals ?? [];
  const shown = terminals.find(({ id }) => id === chosen) ?? terminals.at(-1);

  const open = (start: () => Promise<{ id: string }>) =>
    action.run(async () => {
      const { id } = await start();
      await refetch();
      setOpened(id);
      choose(id);
    });

  const toolbar = (
    <>
      <fieldset className={styles.tabs} aria-label="Terminals">
        {terminals.map((terminal) => (
          <button
            key={terminal.id}
            type="button"
            className={styles.tab}
            aria-pressed={terminal === shown}
            title={terminal.title}
            onClick={() => choose(terminal.id)}
          >
            <span className={panelStyles.dot} data-tone={terminal.status === "running" ? "ok" : "plain"} />
            <span>{terminal.title}</span>
          </button>
        ))}
      </fieldset>
      <Button small disabled={action.busy} onClick={() => open(() => startShell(client, info?.directory ?? null))}>
        <Plus /> New terminal
      </Button>
      <Menu
        trigger={
          <IconButton label="Terminal actions" small>
            <Ellipsis />
          </IconButton>
        }
        items={[
          { label: "Attach to tmux…", onSelect: () => setAttachingTmux(true) },
          ...(shown ? itemsFor(shown, client, action.run) : []),
        ]}
      />
    </>
  );

  return (
    <Panel toolbar={toolbar}>
      <Failure error={action.error ?? error} />
      {isPending && <Spinner />}
      {shown && <TerminalView key={shown.id} info={shown} focused={shown.id === opened} onEnd={refetch} />}
      {!shown && !isPending && (
        <EmptyState icon={SquareTerminal} title="No terminals">
          Open a shell in the session's directory, or attach to a tmux pane.
        </EmptyState>
      )}
      {attachingTmux && (
        <Prompt
          title="Attach to tmux"
          label="Pane"
          verb="Attach"
          hint="A tmux target: session, session:window.pane or %3"
          onAnswer={(target) => open(() => client.attachTmux({ target }))}
          onClose={() => setAttachingTmux(false)}
        />
      )}
    </Panel>
  );
}

/** A running terminal of an agent cannot be closed here. */
function itemsFor({ id, kind, title, status }: TerminalInfo, client: SandboxAgent, run: Action["run"]): MenuItem[] {
  const record = async () => {
    const response = await client.getTerminalRecording(id);
    saveFile(await response.blob(), `${title.split(" ")[0]}.cast`);
  };
  const end = async () => {
    if (status === "running") await client.killProcess(id, { wait_ms: 5000 });
    await client.deleteProcess(id);
  };
  const close = () => run(() => client.closeTerminal(id));
  const items: MenuItem[] = [{ label: "Save recording", onSelect: () => run(record) }];
  if (kind === "process") return [...items, { label: "Kill and close", danger: true, onSelect: () => run(end) }];
  if (kind === "tmux") return [...items, { label: "Detach", onSelect: close }];
  return status === "running" ? items : [...items, { label: "Close", onSelect: close }];
}
