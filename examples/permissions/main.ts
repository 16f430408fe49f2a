/**
 * Answers the agent's requests: allows commands, rejects everything else, and picks the first option of questions.
 *
 *   npx sandbox-agent daemon start
 *   export SANDBOX_AGENT_TOKEN=$(cat ~/.local/share/sandbox-agent/token)
 *   AGENT=claude bun examples/permissions/main.ts "Delete the build folder"
 */
import { SandboxAgent } from "sandbox-agent";

const client = await SandboxAgent.connect({
  baseUrl: process.env.SANDBOX_AGENT_ENDPOINT ?? "http://127.0.0.1:2468",
  token: process.env.SANDBOX_AGENT_TOKEN,
});
const session = await client.createSession({ agent: process.env.AGENT ?? "mock", directory: process.cwd() });

session.on("permission", async (request) => {
  const allowed = request.action === "command_execution";
  console.log(`${allowed ? "allowed" : "rejected"}: ${request.action} ${JSON.stringify(request.metadata)}`);
  await request.reply(allowed ? "once" : "reject");
});

session.on("question", async (request) => {
  const [first] = request.options;
  console.log(`${request.prompt} ${first ?? "no answer"}`);
  await (first === undefined ? request.reject() : request.reply(first));
});

session.on("item.completed", ({ data: { item } }) => {
  if (item.role !== "assistant") return;
  for (const part of item.content) if (part.type === "text") console.log(part.text);
});

for (const message of process.argv.slice(2)) await session.send(message);
await session.wait("idle");
await session.refresh();
await client.dispose();
