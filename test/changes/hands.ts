/**
 * An agent with hands. `sh COMMAND` runs a shell command in the session's directory as a tool call, `quiet COMMAND` runs
 * it without a tool call, `hold COMMAND` runs it and goes on until the turn is aborted. It is the mock otherwise.
 */
import { type Agent, type AgentRegistry, type Draft, type DraftItem, mockAgent } from "@sandbox-agent/agents";

export function agentWithHands(): AgentRegistry {
  const hands: Agent = {
    ...mockAgent,
    async open(spec, sink) {
      const mock = await mockAgent.open(spec, sink);
      return {
        ...mock,
        async send(turn) {
          const [, how = "", command = ""] = /^(sh|quiet|hold) ([\s\S]*)$/.exec(turn.text) ?? [];
          if (how === "") return mock.send(turn);
          void (async () => {
            if (how !== "quiet") await sink.emit(called(turn.number, command));
            await run(command, spec.directory);
            if (how !== "quiet") await sink.emit(answered(turn.number));
            if (how !== "hold") await sink.emit([{ type: "turn.ended" }]);
          })();
        },
        abort: async () => sink.emit([{ type: "turn.ended", reason: "aborted" }]),
      };
    },
  };
  return new Map([[hands.id, hands]]);
}

async function run(command: string, directory: string): Promise<void> {
  const child = Bun.spawn(["/bin/sh", "-c", command], { cwd: directory, stdout: "ignore", stderr: "inherit" });
  await child.exited;
}

function called(turn: number, command: string): Draft[] {
  const item: DraftItem = {
    native_item_id: `call_item_${turn}`,
    kind: "tool_call",
    role: "assistant",
    content: [{ type: "tool_call", name: "sh", arguments: JSON.stringify({ command }), call_id: `call_${turn}` }],
  };
  return [
    { type: "item.started", item },
    { type: "item.completed", item },
  ];
}

function answered(turn: number): Draft[] {
  const item: DraftItem = {
    native_item_id: `result_item_${turn}`,
    kind: "tool_result",
    role: "tool",
    content: [{ type: "tool_result", call_id: `call_${turn}`, output: "done" }],
  };
  return [{ type: "item.completed", item }];
}
