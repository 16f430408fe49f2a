/** Status items of OpenCode. */
import type { ContentPart } from "@sandbox-agent/schema";
import type { Draft } from "../../draft.ts";
import { type ItemIdentity, whole } from "../../item-drafts.ts";

export function notice(
  identity: ItemIdentity,
  label: string,
  detail: string | null = null,
  more: ContentPart[] = [],
): Draft[] {
  const content: ContentPart[] = [{ type: "status", label, ...(detail && { detail }) }, ...more];
  return whole({ ...identity, kind: "status", role: "system", content });
}
