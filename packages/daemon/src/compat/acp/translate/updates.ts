/** Converts universal events to ACP session updates. Pure: it needs only the event and the state before it. */
import type { SessionUpdate } from "@agentclientprotocol/sdk/unstable";
import type { SessionState, TranscriptItem, UniversalEvent, Usage } from "@sandbox-agent/schema";
import { type Audience, completedUpdates, deltaUpdates, startedUpdates } from "./items.ts";
import { type Catalog, configOptions } from "./settings.ts";

export interface View extends Audience {
  catalog: Catalog;
}

export function updatesOf(
  before: SessionState,
  after: SessionState,
  event: UniversalEvent,
  view: View,
): SessionUpdate[] {
  switch (event.type) {
    case "item.started":
      return startedUpdates(event.data.item, view);
    case "item.delta": {
      const open = before.openItems[event.data.item_id];
      return open ? deltaUpdates(open, event.data.delta) : [];
    }
    case "item.completed":
      return completedUpdates(event.data.item, before.openItems[event.data.item.item_id] ?? null, view);
    case "turn.ended":
      return usageUpdates(event.data.metadata?.usage ?? {}, after.usage);
    case "session.updated":
      return settingsUpdates(event.data.metadata, after, view);
    default:
      return [];
  }
}

/** The whole transcript, for a client that loads the session. */
export function replayUpdates(items: readonly TranscriptItem[], state: SessionState, view: View): SessionUpdate[] {
  return [
    ...items.flatMap((item) => {
      const isOpen = item.item_id in state.openItems && item.kind !== "message";
      return isOpen ? startedUpdates(item, view) : completedUpdates(item, null, view);
    }),
    ...usageUpdates(state.usage, state.usage),
  ];
}

function usageUpdates({ context_used, context_window }: Usage, { cost_usd }: Usage): SessionUpdate[] {
  if (context_used === undefined || context_window === undefined) return [];
  const cost = cost_usd === undefined ? {} : { cost: { amount: cost_usd, currency: "USD" } };
  return [{ sessionUpdate: "usage_update", used: context_used, size: context_window, ...cost }];
}

function settingsUpdates(
  changed: Record<string, unknown>,
  { settings, time }: SessionState,
  { catalog }: View,
): SessionUpdate[] {
  const updates: SessionUpdate[] = [];
  if ("title" in changed)
    updates.push({ sessionUpdate: "session_info_update", title: settings.title, updatedAt: time });
  if ("agentMode" in changed) updates.push({ sessionUpdate: "current_mode_update", currentModeId: settings.agentMode });
  const isOption = ["agentMode", "permissionMode", "model", "variant"].some((name) => name in changed);
  if (isOption)
    updates.push({ sessionUpdate: "config_option_update", configOptions: configOptions(settings, catalog) });
  return updates;
}
