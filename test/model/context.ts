/**
 * Agents mix texts of their own into the user's messages: reminders, the environment, notices of an interruption. They
 * must not be taken for the script.
 */
import type { Entry } from "./exchange.ts";

const notices = [
  /^\[Request interrupted by user/,
  /^\[Image: source: /,
  /^Image file at path /,
  /^Called the \w+ tool with the following input/,
  /^# AGENTS\.md/,
];

/** True for text that an agent, not the user, has put into a user message. */
export function isContext(text: string): boolean {
  const start = text.trimStart();
  return start === "" || /^<\/?[a-zA-Z]/.test(start) || notices.some((notice) => notice.test(start));
}

/** The entries with reminders cut out of the user's own texts; a message sent while the agent works is hidden in one. */
export function userEntries(entries: readonly Entry[]): Entry[] {
  return entries.map((entry) => (entry.kind === "user" ? { kind: "user", text: withoutReminders(entry.text) } : entry));
}

function withoutReminders(text: string): string {
  const steered =
    /^\s*<system-reminder>\s*The user sent a new message while you were working:\s*([\s\S]*?)<\/system-reminder>/;
  const inside = steered.exec(text)?.[1];
  if (inside !== undefined) return inside.trim();
  const rest = text.replace(/<(system-reminder|system_reminder|current_datetime)>[\s\S]*?<\/\1>/g, "").trim();
  return rest === "" ? text : rest;
}
