/** An editor that tests can kill: it starts the given command as its agent and starts a turn that never ends. */
const child = Bun.spawn(process.argv.slice(2), { stdin: "pipe", stdout: "pipe", stderr: "inherit" });
let id = 0;
const ask = (method: string, params: object) => {
  child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: ++id, method, params })}\n`);
  child.stdin.flush();
};

ask("initialize", { protocolVersion: 1, clientCapabilities: {} });
ask("session/new", { cwd: process.cwd(), mcpServers: [] });
let text = "";
const decoder = new TextDecoder();
let isAsked = false;
for await (const chunk of child.stdout) {
  text += decoder.decode(chunk, { stream: true });
  process.stdout.write(chunk);
  const sessionId = text.match(/"result":\{"sessionId":"([^"]+)"/)?.[1];
  if (!sessionId || isAsked) continue;
  isAsked = true;
  ask("session/prompt", { sessionId, prompt: [{ type: "text", text: "deaf" }] });
}

export {};
