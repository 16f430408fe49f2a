/** What the daemon has promised to its clients, and where it did not keep to it. */

/** What became of a message, as its sender knows it. `unknown`: the daemon died before it answered. */
export type Fate = "accepted" | "refused" | "unknown";

export interface SentMessage {
  /** A word that no other message has. */
  token: string;
  /** From the answer; null when there was none. */
  messageId: string | null;
  fate: Fate;
}

export interface SoakSession {
  id: string;
  agent: string;
  messages: SentMessage[];
  /** `asked`: the daemon died before it answered, so both may be. */
  deletion: "none" | "asked" | "done";
  /** It was given a turn that only an abort ends. */
  hangs: boolean;
}

export interface Violation {
  rule: string;
  message: string;
}

export interface Ledger {
  sessions: SoakSession[];
  violations: Violation[];
  counts: Record<string, number>;
  violate(rule: string, message: string): void;
  count(what: string, times?: number): void;
}

export function createLedger(onViolation: (violation: Violation) => void): Ledger {
  const ledger: Ledger = {
    sessions: [],
    violations: [],
    counts: {},
    violate(rule, message) {
      const violation = { rule, message };
      ledger.violations.push(violation);
      onViolation(violation);
    },
    count(what, times = 1) {
      ledger.counts[what] = (ledger.counts[what] ?? 0) + times;
    },
  };
  return ledger;
}
