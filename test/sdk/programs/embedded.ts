/** Starts an embedded daemon, prints its URL, and keeps running (`stay`) or exits at once. */
import { SandboxAgent } from "sandbox-agent";

const client = await SandboxAgent.start({ spawn: { timeoutMs: 60_000 } });
console.log(JSON.stringify({ url: client.baseUrl, token: client.token }));
if (process.argv[2] === "stay") setInterval(() => {}, 1000);
