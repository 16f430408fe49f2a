/** What the daemon has accepted from its clients, and the violations that were found. */

/** The outcome of a message as its sender knows it. `unknown`: the daemon died before it answered. */
export type Outcome = "accepted" | "refused" | "unknown";

export interface SentMessage {
  /** A unique word in the text of the message. */
  token: string;
  /** From the answer; null when there was none. */
  messageId: string | null;
  outcome: Outcome;
}

export interface SoakSession {
  id: string;
  agent: string;
  messages: SentMessage[];
  /** `requested`: the daemon died before it answered, so the session may or may not exist. */
  deletion: "none" | "requested" | "done";
  /** Has a turn that ends only when it is aborted. */
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
