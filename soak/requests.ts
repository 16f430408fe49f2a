/** Answers permission requests and questions of agents. */
import type { SoakClient } from "./client.ts";
import type { Random } from "./random.ts";

interface OpenRequests {
  permissions: { permission_id: string }[];
  questions: { question_id: string; options: string[] }[];
}

/** Another user may answer first, so a reply may be refused. */
export async function answerRequests(client: SoakClient, sessionId: string, random: Random): Promise<void> {
  const path = `/v1/sessions/${sessionId}`;
  const answer = await client.request("GET", `${path}/requests`);
  if (answer?.status !== 200) return;
  const { permissions, questions }: OpenRequests = answer.json;
  for (const { permission_id } of permissions) {
    const reply = random.pick(["once", "once", "always", "reject"]);
    await client.request("POST", `${path}/permissions/${encodeURIComponent(permission_id)}/reply`, { reply });
  }
  for (const { question_id, options } of questions) {
    const question = `${path}/questions/${encodeURIComponent(question_id)}`;
    if (random.chance(0.3)) await client.request("POST", `${question}/reject`, {});
    else
      await client.request("POST", `${question}/reply`, { answers: [[random.pick([...options, "something else"])]] });
  }
}
