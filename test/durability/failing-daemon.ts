/** A server process whose mock agent fails where nobody waits for it, as its messages ask for. */
import { background, mockAgent } from "@sandbox-agent/agents";
import { defaultOptions, runDaemon, startDaemon } from "@sandbox-agent/daemon";

const [dataDir = "", token = ""] = process.argv.slice(2);

const failing: typeof mockAgent = {
  ...mockAgent,
  async open(spec, sink) {
    const session = await mockAgent.open(spec, sink);
    return {
      ...session,
      send(turn) {
        const error = new Error(`${turn.text}: ${token} and ${spec.credentials.anthropic}`);
        if (turn.text === "rejection") void Promise.reject(error);
        if (turn.text === "task") background("fail on purpose", Promise.reject(error), spec.sessionId);
        if (turn.text === "exception")
          setTimeout(() => {
            throw error;
          });
        return session.send(turn);
      },
    };
  },
};

const options = { ...defaultOptions, port: 0, dataDir, token, ephemeral: dataDir === "" };
const daemon = await startDaemon(options, () => new Map([[failing.id, failing]]));
console.log(daemon.url);
const stop = new Promise<void>((resolve) => process.once("SIGTERM", () => resolve()));
process.exit((await runDaemon(daemon, stop)) === "stopped" ? 0 : 1);
