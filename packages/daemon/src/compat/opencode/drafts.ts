/**
 * Sessions that are created but have no message yet. OpenCode's clients create a session first and choose the model
 * (here: the agent) with its first message; until then there is nothing to run and nothing to write to the log.
 */
import type { PermissionMode } from "@sandbox-agent/schema";
import { version } from "../../version.ts";
import type { Announcements } from "./announcements.ts";
import { newSessionId, toOpenCodeId } from "./ids.ts";
import { tokensOf } from "./messages.ts";
import { projectId } from "./session-view.ts";
import type { OpenCodeSession } from "./wire.ts";

export interface ModelChoice {
  providerID: string;
  modelID: string;
  variant?: string;
}

export interface Draft {
  id: string;
  createdAt: number;
  directory: string;
  title: string | null;
  agentMode: string | null;
  permissionMode: PermissionMode | null;
  model: ModelChoice | null;
  /** Pending while the session is created from the draft. */
  creation: Promise<void> | null;
}

/** The oldest drafts beyond this number are evicted. */
const maxDrafts = 1000;

export class Drafts {
  readonly #drafts = new Map<string, Draft>();

  add(fields: Partial<Draft> & Pick<Draft, "directory">): Draft {
    const draft: Draft = {
      id: newSessionId(),
      createdAt: Date.now(),
      title: null,
      agentMode: null,
      permissionMode: null,
      model: null,
      creation: null,
      ...fields,
    };
    this.#drafts.set(draft.id, draft);
    const [oldest] = this.#drafts.keys();
    if (this.#drafts.size > maxDrafts && oldest !== undefined) this.#drafts.delete(oldest);
    return draft;
  }

  find(id: string): Draft | null {
    return this.#drafts.get(id) ?? null;
  }

  list(): Draft[] {
    return [...this.#drafts.values()];
  }

  remove(id: string): void {
    this.#drafts.delete(id);
  }
}

export function draftView({ id, createdAt, directory, title, agentMode, model }: Draft): OpenCodeSession {
  return {
    id: toOpenCodeId(id),
    slug: id,
    projectID: projectId,
    directory,
    path: "",
    title: title ?? `New session - ${new Date(createdAt).toISOString()}`,
    ...(agentMode && { agent: agentMode }),
    ...(model && {
      model: {
        id: model.modelID,
        providerID: model.providerID,
        ...(model.variant !== undefined && { variant: model.variant }),
      },
    }),
    version,
    cost: 0,
    tokens: tokensOf({}),
    time: { created: createdAt, updated: createdAt },
  };
}

export function announceDraft(
  announcements: Announcements,
  draft: Draft,
  ...types: ("session.created" | "session.updated" | "session.deleted")[]
): void {
  const properties = { sessionID: toOpenCodeId(draft.id), info: draftView(draft) };
  announcements.announce(draft.directory, ...types.map((type) => ({ type, properties })));
}
