/** The panels beside a conversation. Each is a chunk of its own, loaded when it is first looked at. */
import { Blocks, Bot, Cpu, Files, ListTree, Radio, SquareTerminal } from "lucide-react";
import { type ComponentType, type LazyExoticComponent, lazy } from "react";

export interface Panel {
  id: string;
  title: string;
  icon: ComponentType;
  Component: LazyExoticComponent<ComponentType>;
}

export const panels: readonly Panel[] = [
  { id: "events", title: "Events", icon: ListTree, Component: lazy(() => import("./events/events-panel.tsx")) },
  { id: "files", title: "Files", icon: Files, Component: lazy(() => import("./files/files-panel.tsx")) },
  {
    id: "terminals",
    title: "Terminals",
    icon: SquareTerminal,
    Component: lazy(() => import("./terminals/terminals-panel.tsx")),
  },
  { id: "processes", title: "Processes", icon: Cpu, Component: lazy(() => import("./processes/processes-panel.tsx")) },
  { id: "agents", title: "Agents", icon: Bot, Component: lazy(() => import("./agents/agents-panel.tsx")) },
  { id: "config", title: "MCP & skills", icon: Blocks, Component: lazy(() => import("./config/config-panel.tsx")) },
  { id: "requests", title: "Requests", icon: Radio, Component: lazy(() => import("./requests/requests-panel.tsx")) },
];
