/** A message in Codex's format: images as images, other files by path. */
import { resolve } from "node:path";
import type { Turn } from "../../agent.ts";
import { promptText } from "../../prompt.ts";
import type { UserInput } from "../generated/protocol.ts";

export function userInput(turn: Turn, directory: string): UserInput[] {
  const pictures = turn.attachments.filter(({ mime }) => mime?.startsWith("image/"));
  const others = turn.attachments.filter((attachment) => !pictures.includes(attachment));
  return [
    { type: "text", text: promptText({ ...turn, attachments: others }) },
    ...pictures.map(({ path }): UserInput => ({ type: "localImage", path: resolve(directory, path) })),
  ];
}
