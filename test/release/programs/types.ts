/** A program of a strict project; the compiler checks it against the declarations of the package. */
import { type ContentPart, SandboxAgent, type Session, type UniversalEvent } from "sandbox-agent";
import { type EmbeddedDaemon, startEmbedded } from "sandbox-agent/embedded";

export async function texts(baseUrl: string): Promise<string[]> {
  await using client = await SandboxAgent.connect({ baseUrl });
  const session: Session = await client.createSession({ agent: "mock" });
  const found: string[] = [];
  for await (const event of session.prompt("hello")) found.push(...textOf(event));
  // @ts-expect-error: an agent is needed, so the types are not `any`
  await client.createSession({});
  return found;
}

function textOf(event: UniversalEvent): string[] {
  if (event.type !== "item.completed") return [];
  return event.data.item.content.flatMap((part: ContentPart) => (part.type === "text" ? [part.text] : []));
}

export const own = (): Promise<EmbeddedDaemon> => startEmbedded({ port: 0 });
