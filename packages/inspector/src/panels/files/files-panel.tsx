/** Files on the daemon's machine, the changes of the session, and its checkpoints. */
import { FolderX } from "lucide-react";
import { useState } from "react";
import type { SessionInfo } from "sandbox-agent";
import { useSession } from "../../app/session-context.tsx";
import { EmptyState, Tabs } from "../../design/index.ts";
import { ChangesView } from "./changes-view.tsx";
import { CheckpointsView } from "./checkpoints-view.tsx";
import { FileBrowser } from "./file-browser.tsx";

export default function FilesPanel() {
  const { session, info } = useSession();
  const [view, setView] = useState("browse");
  const reason = session === null ? "Select a session to see its changes." : whyNot(info);
  const without = (
    <EmptyState icon={FolderX} title="No changes to show">
      {reason}
    </EmptyState>
  );
  const isTracked = session !== null && reason === null;
  return (
    <Tabs
      label="Files"
      value={view}
      onChange={setView}
      tabs={[
        { id: "browse", title: "Browse", content: <FileBrowser key={session?.id} /> },
        { id: "changes", title: "Changes", content: isTracked ? <ChangesView session={session} /> : without },
        {
          id: "checkpoints",
          title: "Checkpoints",
          content: isTracked ? <CheckpointsView session={session} /> : without,
        },
      ]}
    />
  );
}

/** Why the session has no diffs; null if it has. */
function whyNot(info: SessionInfo | null): string | null {
  if (info === null) return "";
  if (info.directory === null) return "This session was created without a directory.";
  return info.changes?.checkpoints === false ? info.changes.detail : null;
}
