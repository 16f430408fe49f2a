/** The panels beside a conversation. Each is loaded when it is first shown. */
import { Blocks, Bot, Cpu, Files, ListTree, Radio, SquareTerminal } from "lucide-react";
import { type ComponentType, type LazyExoticComponent, lazy } from "react";
import type { Scope } from "sandbox-agent";

export interface Panel {
  id: string;
  title: string;
  icon: ComponentType;
  /** The scope that a token needs. */
  scope: Scope;
  /** Needs a token for all sessions. */
  wholeDaemon?: true;
  Component: LazyExoticComponent<ComponentType>;
}

export const panels: readonly Panel[] = [
  {
    id: "events",
    title: "Events",
    icon: ListTree,
    scope: "read",
    Component: lazy(() => import("./events/events-panel.tsx")),
  },
  { id: "files", title: "Files", icon: Files, scope: "read", Component: lazy(() => import("./files/files-panel.tsx")) },
  {
    id: "terminals",
    title: "Terminals",
    icon: SquareTerminal,
    scope: "processes",
    wholeDaemon: true,
    Component: lazy(() => import("./terminals/terminals-panel.tsx")),
  },
  {
    id: "processes",
    title: "Processes",
    icon: Cpu,
    scope: "processes",
    wholeDaemon: true,
    Component: lazy(() => import("./processes/processes-panel.tsx")),
  },
  {
    id: "agents",
    title: "Agents",
    icon: Bot,
    scope: "read",
    Component: lazy(() => import("./agents/agents-panel.tsx")),
  },
  {
    id: "config",
    title: "MCP & skills",
    icon: Blocks,
    scope: "read",
    wholeDaemon: true,
    Component: lazy(() => import("./config/config-panel.tsx")),
  },
  {
    id: "requests",
    title: "Requests",
    icon: Radio,
    scope: "read",
    Component: lazy(() => import("./requests/requests-panel.tsx")),
  },
];
