/** Uses all parts of the SDK against a real daemon. The report must be the same in every runtime. */
import { SandboxAgent, SandboxAgentError, type UniversalEvent } from "sandbox-agent";

export interface TourOptions {
  baseUrl: string;
  token: string;
}

export async function tour({ baseUrl, token }: TourOptions) {
  const client = await SandboxAgent.connect({ baseUrl: `${baseUrl}/`, token });
  const session = await client.createSession({ agent: "mock", title: "tour" });
  const health = await client.getHealth();

  const hello = await typesOf(session.prompt("hello ✓ 世界"));

  const asked: string[] = [];
  const stopPermissions = session.on("permission", async (request) => {
    asked.push(`${request.action} ${await request.reply(request.action === "file_change" ? "reject" : "once")}`);
  });
  const stopQuestions = session.on("question", async (request) => {
    const answered = request.options.includes("Blue") ? request.reply("Blue") : request.reject();
    asked.push(`${request.prompt} ${await answered}`);
  });
  const permissions = await typesOf(session.prompt("permission"));
  const questions = await typesOf(session.prompt("question"));
  stopPermissions();
  stopQuestions();

  const events: UniversalEvent[] = [];
  for await (const event of session.prompt("slow 100000 20")) {
    if (event.type === "item.delta" && events.at(-1)?.type !== "item.delta") await session.abort();
    events.push(event);
  }
  const last = events.at(-1);

  await session.send("permission1");
  await session.wait("request");
  await session.steer("faster");
  const queued = await session.queue("echo last");
  for (const { permission_id } of (await session.requests()).permissions) {
    await session.replyPermission(permission_id, "always");
  }
  await session.wait("idle");
  const transcript = await session.refresh();
  const same = JSON.stringify(transcript) === JSON.stringify(await client.getTranscript(session.id));

  const report = {
    health: health.status,
    hello,
    asked: asked.toSorted(),
    permissionsEnd: permissions.at(-1),
    questionsEnd: questions.at(-1),
    aborted: last?.type === "turn.ended" ? last.data.metadata?.reason : last?.type,
    queued: queued.messageId.startsWith("msg_"),
    texts: transcript.items
      .filter(({ kind, role }) => kind === "message" && role === "assistant")
      .flatMap(({ content }) => content.map((part) => (part.type === "text" ? part.text : part.type)))
      .filter((text) => !text.startsWith("word")),
    turns: transcript.turns.map(({ reason }) => reason),
    transcriptMatchesDaemon: same,
    failures: [
      await kindOf(client.getSession("nope")),
      await kindOf(client.createSession({ agent: "nope" })),
      await kindOf(SandboxAgent.connect({ baseUrl, token: "wrong" }).then((other) => other.listSessions())),
    ],
  };
  await session.delete();
  await client.dispose();
  return report;
}

async function typesOf(events: AsyncIterable<UniversalEvent>): Promise<string[]> {
  const types: string[] = [];
  for await (const event of events) types.push(event.type);
  return types;
}

async function kindOf(call: Promise<unknown>): Promise<string> {
  try {
    await call;
    return "no failure";
  } catch (error) {
    return error instanceof SandboxAgentError ? error.kind : String(error);
  }
}
