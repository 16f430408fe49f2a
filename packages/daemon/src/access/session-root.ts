/** The directory of a session as the root of what a token for some sessions can reach. */
import { openRootBelow, type Root } from "../files/root.ts";

/**
 * `others` are the directories of all sessions that the token is for. One that lies in another of them is reached through that
 * one: who may change files there can put a link in its place, which must not lead further than the token does.
 */
export function sessionRoot(everything: Root, directory: string, others: readonly string[]): Root {
  const around = others.filter((other) => directory.startsWith(`${other}/`));
  const [outermost] = around.toSorted((a, b) => a.length - b.length);
  return openRootBelow(outermost === undefined ? everything : openRootBelow(everything, outermost), directory);
}
