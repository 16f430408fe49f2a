/** The workspace: sessions on the left, the conversation in the middle, panels on the right. */
import { CircleHelp, LogOut, Menu as MenuIcon, MessagesSquare, Moon, PanelRight, Sun, SunMoon } from "lucide-react";
import { useMemo, useState } from "react";
import { useLocation } from "wouter";
import { SessionView } from "../conversation/session-view.tsx";
import { Badge, classNames, EmptyState, IconButton } from "../design/index.ts";
import { CreateSession } from "../sessions/create-session.tsx";
import { SessionList } from "../sessions/session-list.tsx";
import { hasScope, useAccess } from "./access.tsx";
import styles from "./app.module.css";
import { useClient } from "./connection.tsx";
import { sessionPath, useEventLink, useSessionId } from "./event-link.ts";
import { useReachable } from "./reachable.ts";
import { SessionProvider } from "./session-context.tsx";
import { ShortcutHelp } from "./shortcut-help.tsx";
import { useShortcuts } from "./shortcuts.ts";
import { SidePanel } from "./side-panel.tsx";
import { type Theme, useTheme } from "./theme.ts";
import { useStored } from "./use-stored.ts";

const wide = () => matchMedia("(min-width: 900px)").matches;

export function Workspace({ onDisconnect }: { onDisconnect: () => void }) {
  const id = useSessionId();
  const [, navigate] = useLocation();
  const [listOpen, setListOpen] = useState(() => wide() || id === null);
  const { sequence: linkedEvent } = useEventLink();
  const [panelOpen, setPanelOpen] = useState(() => linkedEvent !== null || matchMedia("(min-width: 1200px)").matches);
  const [lastPanel, setLastPanel] = useStored("panel", "events");
  // A link to an event opens the events panel.
  const [panel, setPanel] = useState(linkedEvent === null ? lastPanel : "events");
  const [creating, setCreating] = useState(false);
  const [helping, setHelping] = useState(false);

  const access = useAccess();
  // A token for single sessions can only use the sessions it names; their creator issues it.
  const mayCreate = hasScope(access, "prompt") && (access?.sessions ?? null) === null;

  const shortcuts = useMemo(
    () => ({
      ...(mayCreate && { c: () => setCreating(true) }),
      "[": () => setListOpen((open) => !open),
      "]": () => setPanelOpen((open) => !open),
      "?": () => setHelping(true),
      "/": () => {
        setListOpen(true);
        requestAnimationFrame(() => document.getElementById("session-search")?.focus());
      },
    }),
    [mayCreate],
  );
  useShortcuts(shortcuts);

  const choosePanel = (next: string) => {
    setPanel(next);
    setLastPanel(next);
  };

  const show = (sessionId: string | null) => {
    navigate(sessionId === null ? "/" : sessionPath(sessionId));
    if (!wide()) setListOpen(sessionId === null);
  };

  return (
    <SessionProvider id={id}>
      <div className={classNames(styles.workspace, listOpen && styles.withList, panelOpen && styles.withPanel)}>
        <header className={styles.bar}>
          <IconButton label="Sessions" aria-expanded={listOpen} onClick={() => setListOpen(!listOpen)}>
            <MenuIcon />
          </IconButton>
          <img className={styles.mark} src={`${import.meta.env.BASE_URL}icon.svg`} alt="" />
          <strong className={styles.onlyWide}>sandbox-agent</strong>
          <Daemon />
          {!hasScope(access, "prompt") && <Badge tone="warn">read only</Badge>}
          <span className={styles.space} />
          <ThemeButton />
          <IconButton label="Keyboard shortcuts" className={styles.onlyWide} onClick={() => setHelping(true)}>
            <CircleHelp />
          </IconButton>
          <IconButton label="Disconnect" onClick={onDisconnect}>
            <LogOut />
          </IconButton>
          <IconButton label="Panels" aria-expanded={panelOpen} onClick={() => setPanelOpen(!panelOpen)}>
            <PanelRight />
          </IconButton>
        </header>
        {listOpen && (
          <nav className={styles.list} aria-label="Sessions">
            <SessionList selected={id} onSelect={show} onCreate={mayCreate ? () => setCreating(true) : null} />
          </nav>
        )}
        <main className={styles.main}>
          {id === null ? (
            <NoSession onCreate={mayCreate ? () => setCreating(true) : null} />
          ) : (
            <SessionView key={id} onGone={() => show(null)} />
          )}
        </main>
        {panelOpen && (
          <aside className={styles.panel} aria-label="Panels">
            <SidePanel value={panel} onChange={choosePanel} />
          </aside>
        )}
      </div>
      {creating && <CreateSession onClose={() => setCreating(false)} onCreated={show} />}
      <ShortcutHelp open={helping} onOpenChange={setHelping} />
    </SessionProvider>
  );
}

/** The address of the daemon, and whether it is reachable. */
function Daemon() {
  const { baseUrl } = useClient();
  const reachable = useReachable();
  return (
    <div className={styles.daemon}>
      <span className={classNames(styles.dot, reachable ? styles.dotOk : styles.dotBad)} aria-hidden />
      <span className={styles.endpoint}>{baseUrl.replace(/^https?:\/\//, "")}</span>
      {!reachable && (
        <span className={styles.offline} role="status">
          Reconnecting…
        </span>
      )}
    </div>
  );
}

const themes: Record<Theme, { next: Theme; label: string; icon: typeof Sun }> = {
  system: { next: "light", label: "Theme: system", icon: SunMoon },
  light: { next: "dark", label: "Theme: light", icon: Sun },
  dark: { next: "system", label: "Theme: dark", icon: Moon },
};

function ThemeButton() {
  const [theme, setTheme] = useTheme();
  const { next, label, icon: Icon } = themes[theme];
  return (
    <IconButton label={label} onClick={() => setTheme(next)}>
      <Icon />
    </IconButton>
  );
}

function NoSession({ onCreate }: { onCreate: (() => void) | null }) {
  return (
    <div className={styles.nothing}>
      <EmptyState icon={MessagesSquare} title="No session selected">
        <p>
          Select one from the list
          {onCreate && (
            <>
              , or{" "}
              <button type="button" className={styles.linkButton} onClick={onCreate}>
                start a new one
              </button>
            </>
          )}
          .
        </p>
      </EmptyState>
    </div>
  );
}
