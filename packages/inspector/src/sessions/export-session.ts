/** Downloads a session's events as JSON lines. */
import type { SandboxAgent, SessionInfo } from "sandbox-agent";
import { saveFile } from "../panels/frame/save-file.ts";

const pageSize = 1000;

export async function exportSession(client: SandboxAgent, { sessionId, title }: SessionInfo): Promise<void> {
  const lines: string[] = [];
  let offset = 0;
  for (;;) {
    const { events } = await client.getEvents(sessionId, { offset, limit: pageSize });
    const last = events.at(-1);
    if (!last) break;
    for (const event of events) lines.push(`${JSON.stringify(event)}\n`);
    offset = last.sequence;
  }
  saveFile(new Blob(lines, { type: "application/jsonl" }), `${fileName(title ?? sessionId)}.jsonl`);
}

function fileName(text: string): string {
  return text.replace(/[^\p{L}\p{N}._-]+/gu, "-").slice(0, 80) || "session";
}
