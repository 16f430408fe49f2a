/** Processes of the daemon: start, watch, send input, stop. */
import { useQuery } from "@tanstack/react-query";
import { Cpu } from "lucide-react";
import { useState } from "react";
import type { ProcessInfo } from "sandbox-agent";
import { useClient } from "../../app/connection.tsx";
import { Badge, EmptyState, Spinner } from "../../design/index.ts";
import { Failure, Panel, panelStyles, Split } from "../frame/panel.tsx";
import { durationText } from "../frame/readable.ts";
import { useAction } from "../frame/use-action.ts";
import { ProcessDetail } from "./process-detail.tsx";
import { commandLine, endText } from "./process-text.ts";
import styles from "./processes.module.css";
import { StartProcess } from "./start-process.tsx";

export default function ProcessesPanel() {
  const client = useClient();
  const [selected, select] = useState<string | null>(null);
  const { data, error, isPending, dataUpdatedAt } = useQuery({
    queryKey: ["processes"],
    queryFn: ({ signal }) => client.listProcesses({}, { signal }),
    refetchInterval: 2000,
  });
  const action = useAction(["processes"]);
  const processes = data?.processes.toReversed() ?? [];
  const chosen = processes.find(({ id }) => id === selected);

  return (
    <Panel toolbar={<StartProcess action={action} onStart={({ id }) => select(id)} />}>
      <Failure error={action.error ?? error} />
      <Split>
        <ul className={styles.list} aria-label="Processes">
          {processes.map((process) => (
            <li key={process.id}>
              <Row
                process={process}
                now={dataUpdatedAt}
                isSelected={process.id === selected}
                onSelect={() => select(process.id)}
              />
            </li>
          ))}
          {isPending && <Spinner />}
          {data && processes.length === 0 && (
            <EmptyState icon={Cpu} title="No processes">
              Start a server or a build to see its output here.
            </EmptyState>
          )}
        </ul>
        {chosen && <ProcessDetail key={chosen.id} process={chosen} action={action} onClose={() => select(null)} />}
      </Split>
    </Panel>
  );
}

interface RowProps {
  process: ProcessInfo;
  now: number;
  isSelected: boolean;
  onSelect(): void;
}

function Row({ process, now, isSelected, onSelect }: RowProps) {
  const { status, exitCode, createdAtMs, exitedAtMs, tty, tags } = process;
  const tone = status === "running" ? "ok" : exitCode === 0 ? "plain" : "bad";
  return (
    <button type="button" className={panelStyles.row} aria-current={isSelected} onClick={onSelect}>
      <span className={panelStyles.dot} data-tone={tone} />
      <span className={`${panelStyles.text} ${panelStyles.mono}`}>{commandLine(process)}</span>
      {tty && <Badge>terminal</Badge>}
      {tags.map((tag) => (
        <Badge key={tag}>{tag}</Badge>
      ))}
      <span className={panelStyles.faint}>{status === "running" ? "running" : endText(process)}</span>
      <span className={panelStyles.faint}>{durationText(Math.max(0, (exitedAtMs ?? now) - createdAtMs))}</span>
    </button>
  );
}
