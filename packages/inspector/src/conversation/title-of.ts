/** A title for a session from the first line of its first message. */
const maxLength = 60;

export function titleOf(message: string): string {
  const [line = ""] = message.trim().split("\n", 1);
  if (line.length <= maxLength) return line;
  const cut = line.slice(0, maxLength);
  return `${cut.slice(0, cut.lastIndexOf(" ") > 0 ? cut.lastIndexOf(" ") : maxLength)}…`;
}
