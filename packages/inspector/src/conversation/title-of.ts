/** A title for a session that has none: how its first message begins. */
const longest = 60;

export function titleOf(message: string): string {
  const [line = ""] = message.trim().split("\n", 1);
  if (line.length <= longest) return line;
  const cut = line.slice(0, longest);
  return `${cut.slice(0, cut.lastIndexOf(" ") > 0 ? cut.lastIndexOf(" ") : longest)}…`;
}
