/**
 * Sends one message to an agent and prints the answer as it arrives.
 *
 *   npx sandbox-agent daemon start
 *   export SANDBOX_AGENT_TOKEN=$(cat ~/.local/share/sandbox-agent/token)
 *   AGENT=claude bun examples/basic/main.ts "Why does the build fail?"
 */
import { SandboxAgent } from "sandbox-agent";

const client = await SandboxAgent.connect({
  baseUrl: process.env.SANDBOX_AGENT_ENDPOINT ?? "http://127.0.0.1:2468",
  token: process.env.SANDBOX_AGENT_TOKEN,
});
const session = await client.createSession({ agent: process.env.AGENT ?? "mock", directory: process.cwd() });

for await (const event of session.prompt(process.argv[2] ?? "Hello!")) {
  if (event.type === "item.delta") process.stdout.write(event.data.delta);
  if (event.type === "error") console.error(event.data.message);
}
console.log();

const { turns, usage } = session.transcript();
console.log(`${turns.at(-1)?.reason}, ${usage.output_tokens ?? 0} tokens`);
await client.dispose();
