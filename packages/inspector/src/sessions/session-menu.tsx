/** The menu of a session. */
import { useQueryClient } from "@tanstack/react-query";
import { CircleStop, Download, Ellipsis, Pencil, Settings2, Trash2 } from "lucide-react";
import { useState } from "react";
import type { Session, SessionInfo } from "sandbox-agent";
import { hasScope, useAccess } from "../app/access.tsx";
import { useClient } from "../app/connection.tsx";
import { failureText } from "../app/failure-text.ts";
import { sessionKey } from "../app/session-context.tsx";
import { Button, Dialog, Field, IconButton, Input, Menu, Notice } from "../design/index.ts";
import { AgentSettings, type Settings } from "./agent-settings.tsx";
import { exportSession } from "./export-session.ts";
import styles from "./sessions.module.css";

export interface SessionMenuProps {
  session: Session;
  info: SessionInfo;
  /** The session has been deleted. */
  onGone: () => void;
}

type DialogName = "rename" | "settings" | "terminate" | "delete";

export function SessionMenu({ session, info, onGone }: SessionMenuProps) {
  const client = useClient();
  const queries = useQueryClient();
  const [openDialog, setOpenDialog] = useState<DialogName | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const [title, setTitle] = useState("");
  const [settings, setSettings] = useState<Settings>(() => settingsOf(info));

  const open = (next: DialogName) => {
    setFailure(null);
    setTitle(info.title ?? "");
    setSettings(settingsOf(info));
    setOpenDialog(next);
  };
  const run = async (action: () => Promise<unknown>) => {
    try {
      await action();
      setOpenDialog(null);
    } catch (error) {
      setFailure(error);
    }
    void queries.invalidateQueries({ queryKey: ["sessions"] });
    void queries.invalidateQueries({ queryKey: sessionKey(session.id) });
  };
  const dialogs = {
    rename: {
      title: "Rename session",
      action: "Rename",
      body: (
        <Field label="Title">
          <Input value={title} onChange={({ target }) => setTitle(target.value)} />
        </Field>
      ),
      run: () => session.update({ title: title.trim() || null }),
    },
    settings: {
      title: "Session settings",
      action: "Apply from the next turn",
      body: (
        <div className={styles.form}>
          <AgentSettings agent={{ id: info.agent, installed: true }} value={settings} onChange={setSettings} />
        </div>
      ),
      run: () => session.update(changeOf(settings)),
    },
    terminate: {
      title: "Terminate session",
      action: "Terminate",
      body: <p>This stops the agent. You can still read the history, but not continue the conversation.</p>,
      run: () => session.terminate(),
    },
    delete: {
      title: "Delete session",
      action: "Delete",
      body: <p>This stops the agent and deletes the whole history. It cannot be undone.</p>,
      run: async () => {
        await session.delete();
        onGone();
      },
    },
  };
  const dialog = openDialog && dialogs[openDialog];
  const access = useAccess();
  const exportEvents = () => void run(() => exportSession(client, info));
  const items = [
    { scope: "prompt", label: "Rename", icon: Pencil, onSelect: () => open("rename") },
    { scope: "prompt", label: "Settings", icon: Settings2, onSelect: () => open("settings") },
    { scope: "read", label: "Export events", icon: Download, onSelect: exportEvents },
    { scope: "prompt", label: "Terminate", icon: CircleStop, disabled: info.ended, onSelect: () => open("terminate") },
    { scope: "admin", label: "Delete", icon: Trash2, danger: true, onSelect: () => open("delete") },
  ] as const;

  return (
    <>
      <Menu
        trigger={
          <IconButton label="Session actions">
            <Ellipsis />
          </IconButton>
        }
        items={items.filter(({ scope }) => hasScope(access, scope))}
      />
      {dialog && (
        <Dialog
          open
          onOpenChange={() => setOpenDialog(null)}
          title={dialog.title}
          footer={
            <>
              <Button onClick={() => setOpenDialog(null)}>Cancel</Button>
              <Button
                type="submit"
                form="session-action"
                look={openDialog === "delete" || openDialog === "terminate" ? "danger" : "primary"}
              >
                {dialog.action}
              </Button>
            </>
          }
        >
          <form
            id="session-action"
            className={styles.confirm}
            onSubmit={(event) => {
              event.preventDefault();
              void run(dialog.run);
            }}
          >
            {dialog.body}
            {failure !== null && <Notice tone="bad">{failureText(failure)}</Notice>}
          </form>
        </Dialog>
      )}
    </>
  );
}

function settingsOf({ agentMode, permissionMode, model, variant }: SessionInfo): Settings {
  const known = (["default", "plan", "bypass", "acceptEdits"] as const).find((mode) => mode === permissionMode);
  return { agentMode, permissionMode: known ?? "default", model: model ?? "", variant: variant ?? "" };
}

function changeOf({ agentMode, permissionMode, model, variant }: Settings) {
  return { permissionMode, ...(agentMode && { agentMode }), ...(model && { model }), ...(variant && { variant }) };
}
