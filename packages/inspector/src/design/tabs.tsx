/** Tabs. Only the content of the selected tab is mounted. */
import { Tabs as Radix } from "radix-ui";
import type { ComponentType, ReactNode } from "react";
import styles from "./design.module.css";

export interface Tab {
  id: string;
  title: string;
  icon?: ComponentType;
  content: ReactNode;
}

export interface TabsProps {
  label: string;
  tabs: readonly Tab[];
  value: string;
  onChange: (id: string) => void;
}

export function Tabs({ label, tabs, value, onChange }: TabsProps) {
  return (
    <Radix.Root className={styles.tabs} value={value} onValueChange={onChange}>
      <Radix.List className={styles.tabList} aria-label={label}>
        {tabs.map(({ id, title, icon: Icon }) => (
          <Radix.Trigger key={id} className={styles.tab} value={id} title={title} data-icon={Icon !== undefined}>
            {Icon && <Icon />}
            <span>{title}</span>
          </Radix.Trigger>
        ))}
      </Radix.List>
      {tabs.map(({ id, content }) => (
        <Radix.Content key={id} className={styles.tabContent} value={id}>
          {content}
        </Radix.Content>
      ))}
    </Radix.Root>
  );
}
