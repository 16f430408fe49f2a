/** Starts an embedded daemon, runs a turn of the mock, and prints the result. */
import { SandboxAgent, SandboxAgentError } from "sandbox-agent";

const client = await SandboxAgent.start({ spawn: { timeoutMs: 100_000 } });
const session = await client.createSession({ agent: "mock" });
let text = "";
for await (const event of session.prompt("echo from the package")) {
  if (event.type === "item.delta") text += event.data.delta;
}
const { version } = await client.getVersion();
const failure = await client.getSession("missing").catch((error) => error instanceof SandboxAgentError && error.kind);
await client.dispose();
console.log(JSON.stringify({ text, version, failure, turns: session.transcript().turns.length }));
