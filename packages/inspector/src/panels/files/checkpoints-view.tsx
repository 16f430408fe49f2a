/** Checkpoints of the session's directory: preview and restore. */
import { useQuery } from "@tanstack/react-query";
import { BookmarkPlus, History, RotateCcw } from "lucide-react";
import { useState } from "react";
import type { Checkpoint, Session } from "sandbox-agent";
import { Allowed } from "../../app/access.tsx";
import { useClient } from "../../app/connection.tsx";
import { Button, EmptyState, Notice, Spinner } from "../../design/index.ts";
import { Confirm } from "../frame/confirm.tsx";
import { Detail, Failure, Panel, panelStyles, Split } from "../frame/panel.tsx";
import { Prompt } from "../frame/prompt.tsx";
import { clockText } from "../frame/readable.ts";
import { type Action, useAction } from "../frame/use-action.ts";
import { DiffFiles } from "./diff-files.tsx";
import styles from "./files.module.css";

export function CheckpointsView({ session }: { session: Session }) {
  const client = useClient();
  const [selected, select] = useState<string | null>(null);
  const [creating, setCreating] = useState(false);
  const action = useAction(["checkpoints", session.id]);
  const { data, error, isPending } = useQuery({
    queryKey: ["checkpoints", session.id],
    queryFn: ({ signal }) => client.listCheckpoints(session.id, { signal }),
    refetchInterval: 5000,
  });
  const checkpoints = data?.checkpoints.toReversed() ?? [];
  const chosen = checkpoints.find(({ checkpointId }) => checkpointId === selected);

  return (
    <Panel
      toolbar={
        <Allowed scope="files">
          <Button small disabled={action.busy} onClick={() => setCreating(true)}>
            <BookmarkPlus /> Create checkpoint
          </Button>
        </Allowed>
      }
    >
      <Failure error={action.error ?? error} />
      {isPending && <Spinner />}
      <Split>
        <ul className={styles.results} aria-label="Checkpoints">
          {checkpoints.map((checkpoint) => (
            <li key={checkpoint.checkpointId}>
              <button
                type="button"
                className={panelStyles.row}
                aria-current={checkpoint === chosen}
                onClick={() => select(checkpoint.checkpointId)}
              >
                <span className={panelStyles.text}>{titleOf(checkpoint)}</span>
                <span className={panelStyles.faint}>{clockText(checkpoint.createdAt)}</span>
              </button>
            </li>
          ))}
          {data && checkpoints.length === 0 && (
            <EmptyState icon={History} title="No checkpoints">
              Each turn creates one at its start and one at its end.
            </EmptyState>
          )}
        </ul>
        {chosen && (
          <CheckpointDetail
            key={chosen.checkpointId}
            session={session}
            checkpoint={chosen}
            action={action}
            onClose={() => select(null)}
          />
        )}
      </Split>
      {creating && (
        <Prompt
          title="Create checkpoint"
          label="Title"
          verb="Create"
          onAnswer={(title) => action.run(() => client.createCheckpoint(session.id, { title }))}
          onClose={() => setCreating(false)}
        />
      )}
    </Panel>
  );
}

interface DetailProps {
  session: Session;
  checkpoint: Checkpoint;
  action: Action;
  onClose(): void;
}

function CheckpointDetail({ session, checkpoint, action, onClose }: DetailProps) {
  const client = useClient();
  const [confirming, setConfirming] = useState(false);
  const { checkpointId } = checkpoint;
  const { data, error, isPending } = useQuery({
    queryKey: ["diff", session.id, "checkpoint", checkpointId],
    queryFn: ({ signal }) => client.previewCheckpoint(session.id, checkpointId, { signal }),
  });
  const restore = (
    <Allowed scope="files">
      <Button small disabled={!data || data.files.length === 0 || action.busy} onClick={() => setConfirming(true)}>
        <RotateCcw /> Restore
      </Button>
    </Allowed>
  );
  return (
    <Detail title={titleOf(checkpoint)} actions={restore} onClose={onClose}>
      <div className={panelStyles.padded}>
        <Failure error={error} />
        {isPending && <Spinner />}
        {data?.files.length === 0 && <Notice>The files match this checkpoint.</Notice>}
        {data && data.files.length > 0 && <p>Restoring changes these files:</p>}
        {data && <DiffFiles diff={data} />}
      </div>
      {confirming && (
        <Confirm
          title="Restore this checkpoint?"
          verb="Restore"
          onConfirm={() => action.run(() => client.restoreCheckpoint(session.id, checkpointId))}
          onClose={() => setConfirming(false)}
        >
          Files to change: {data?.files.length}. The current files are saved as a checkpoint first.
        </Confirm>
      )}
    </Detail>
  );
}

const reasons: Record<Checkpoint["reason"], string> = {
  turn_started: "Before turn",
  turn_ended: "After turn",
  manual: "Manual checkpoint",
  restore: "Before restore",
};

function titleOf({ title, reason, turn }: Checkpoint): string {
  return title ?? [reasons[reason], turn].filter((part) => part !== null).join(" ");
}
