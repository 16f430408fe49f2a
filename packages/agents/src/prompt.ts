/** The prompt for agents that accept only text: attachments become a list of paths after the message. */
import type { Turn } from "./agent.ts";

export function promptText({ text, attachments }: Turn): string {
  if (attachments.length === 0) return text;
  const paths = attachments.map(({ path, filename }) => `- ${path}${filename ? ` (${filename})` : ""}`);
  return `${text}\n\nAttachments:\n${paths.join("\n")}`;
}
