/** Starts an embedded daemon, says where it is, and goes on until it is told to end, or ends at once. */
import { SandboxAgent } from "sandbox-agent";

const client = await SandboxAgent.start({ spawn: { timeoutMs: 60_000 } });
console.log(JSON.stringify({ url: client.baseUrl, token: client.token }));
if (process.argv[2] === "stay") setInterval(() => {}, 1000);
