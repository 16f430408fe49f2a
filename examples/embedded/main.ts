/**
 * Starts a daemon inside the program. It stops when the program ends.
 *
 *   AGENT=claude bun examples/embedded/main.ts "Write a haiku" "Now in German"
 */
import { SandboxAgent } from "sandbox-agent";

await using client = await SandboxAgent.start();
const session = await client.createSession({ agent: process.env.AGENT ?? "mock" });

for (const message of process.argv.slice(2)) {
  for await (const event of session.prompt(message)) {
    if (event.type === "item.delta") process.stdout.write(event.data.delta);
  }
  console.log();
}
