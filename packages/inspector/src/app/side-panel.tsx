/** The side panel with one tab per panel. Each panel is loaded when it is first shown. */
import { lazy, Suspense } from "react";
import { Spinner, Tabs } from "../design/index.ts";
import { hasScope, useAccess } from "./access.tsx";
import styles from "./app.module.css";

const Panels = lazy(async () => {
  const { panels } = await import("../panels/index.ts");
  return { default: (props: SidePanelProps) => <PanelTabs {...props} panels={panels} /> };
});

type Panel = typeof import("../panels/index.ts")["panels"][number];

export interface SidePanelProps {
  value: string;
  onChange: (id: string) => void;
}

export function SidePanel(props: SidePanelProps) {
  return (
    <Suspense fallback={<Loading />}>
      <Panels {...props} />
    </Suspense>
  );
}

function PanelTabs({ panels, value, onChange }: SidePanelProps & { panels: readonly Panel[] }) {
  const access = useAccess();
  const isLimited = (access?.sessions ?? null) !== null;
  const allowed = panels.filter(({ scope, wholeDaemon }) => hasScope(access, scope) && !(wholeDaemon && isLimited));
  const tabs = allowed.map(({ id, title, icon, Component }) => ({
    id,
    title,
    icon,
    content: (
      <Suspense fallback={<Loading />}>
        <Component />
      </Suspense>
    ),
  }));
  const shown = allowed.some(({ id }) => id === value) ? value : (allowed[0]?.id ?? "");
  return <Tabs label="Panels" tabs={tabs} value={shown} onChange={onChange} />;
}

function Loading() {
  return (
    <div className={styles.waiting}>
      <Spinner />
    </div>
  );
}
