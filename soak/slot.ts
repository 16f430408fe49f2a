/** A seat for one session after the other: when one has ended or was deleted, whoever comes next gets a new one. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { SoakAgent } from "./agents.ts";
import { problemKind, type SoakClient } from "./client.ts";
import type { Ledger, SoakSession } from "./ledger.ts";
import type { Random } from "./random.ts";

export interface Slot {
  agent: SoakAgent;
  /** The session that sits here now; a new one, if need be. Null when none could be created. */
  session(): Promise<SoakSession | null>;
  /** That one is of no use any more. */
  leave(session: SoakSession): void;
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
    leave(session) {
      void current?.then((sitting) => {
        if (sitting === session) current = null;
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
  const answer = await client.insist("POST", `/v1/sessions/${id}`, body);
  // The daemon may have died between creating it and saying so.
  if (answer.status !== 200 && problemKind(answer) !== "session_already_exists") {
    ledger.count(`creations refused: ${problemKind(answer)}`);
    return null;
  }
  ledger.count("sessions");
  ledger.sessions.push(session);
  onCreated(session);
  return session;
}
