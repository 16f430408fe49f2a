/** Holds one session at a time. When it has ended or is deleted, the next user gets a new one. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { SoakAgent } from "./agents.ts";
import { problemKind, type SoakClient } from "./client.ts";
import type { Ledger, SoakSession } from "./ledger.ts";
import type { Random } from "./random.ts";

export interface Slot {
  agent: SoakAgent;
  /** The current session, or a new one if there is none. Null when it cannot be created. */
  session(): Promise<SoakSession | null>;
  /** The session cannot be used any more; the next user gets a new one. */
  release(session: SoakSession): void;
}

export interface SlotContext {
  client: SoakClient;
  ledger: Ledger;
  root: string;
  onCreated(session: SoakSession): void;
}

let created = 0;

export function createSlot(agent: SoakAgent, random: Random, context: SlotContext): Slot {
  let current: Promise<SoakSession | null> | null = null;
  return {
    agent,
    session: () =>
      (current ??= createSession(agent, random, context).then((session) => {
        if (!session) current = null;
        return session;
      })),
    release(session) {
      void current?.then((held) => {
        if (held === session) current = null;
      });
    },
  };
}

async function createSession(agent: SoakAgent, random: Random, context: SlotContext): Promise<SoakSession | null> {
  const { client, ledger, root, onCreated } = context;
  created += 1;
  const id = `${agent.id}-${created}`;
  const directory = join(root, `project-${id}`);
  const inDirectory = agent.id !== "mock" || random.chance(0.3);
  if (inDirectory) mkdirSync(directory);
  const session: SoakSession = { id, agent: agent.id, messages: [], deletion: "none", hangs: false };
  const body = { agent: agent.id, ...agent.session, ...(inDirectory && { directory }) };
  const answer = await client.requestUntilAnswered("POST", `/v1/sessions/${id}`, body);
  // The daemon may have been killed after creating it and before answering.
  if (answer.status !== 200 && problemKind(answer) !== "session_already_exists") {
    ledger.count(`creations refused: ${problemKind(answer)}`);
    return null;
  }
  ledger.count("sessions");
  ledger.sessions.push(session);
  onCreated(session);
  return session;
}
