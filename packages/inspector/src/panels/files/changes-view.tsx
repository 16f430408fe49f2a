/** The diff of the session or of one of its turns. */
import { useQuery } from "@tanstack/react-query";
import { GitCompare } from "lucide-react";
import { useState } from "react";
import type { Session } from "sandbox-agent";
import { useClient } from "../../app/connection.tsx";
import { useConversation } from "../../app/session-context.tsx";
import { EmptyState, Notice, Select, Spinner } from "../../design/index.ts";
import { Failure, Panel, PanelBody } from "../frame/panel.tsx";
import { DiffFiles } from "./diff-files.tsx";
import { useFreshFiles } from "./use-listings.ts";

export function ChangesView({ session }: { session: Session }) {
  const client = useClient();
  const { turns, status } = useConversation();
  const [turn, setTurn] = useState("");
  useFreshFiles(session);
  const ended = turns.findLast(({ lastSequence }) => lastSequence !== null)?.lastSequence ?? 0;
  const { data, error, isPending } = useQuery({
    // The diff is final when a turn has ended.
    queryKey: ["diff", session.id, turn, ended],
    queryFn: ({ signal }) => client.getDiff(session.id, turn === "" ? {} : { turn: Number(turn) }, { signal }),
    placeholderData: (before) => before,
    refetchInterval: status === "running" ? 3000 : false,
  });
  const numbers = turns.flatMap(({ turnId }) => /^turn_(\d+)$/.exec(turnId ?? "")?.[1] ?? []);
  const options = [
    { value: "", label: "Whole session" },
    ...numbers.toReversed().map((number) => ({ value: number, label: `Turn ${number}` })),
  ];

  return (
    <Panel toolbar={<Select aria-label="Show changes of" value={turn} options={options} onChange={setTurn} />}>
      <PanelBody padded>
        <Failure error={error} />
        {isPending && <Spinner />}
        {data?.truncated && <Notice tone="warn">The diff is too long to show in full.</Notice>}
        {data && <DiffFiles diff={data} />}
        {data?.files.length === 0 && (
          <EmptyState icon={GitCompare} title="No changes">
            Files that the agent changes appear here.
          </EmptyState>
        )}
      </PanelBody>
    </Panel>
  );
}
