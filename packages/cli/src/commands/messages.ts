/** `api sessions send-message | send-message-stream | cancel-message | abort`: messages to an agent. */
import { Delivery, type MessageRequest } from "@sandbox-agent/schema";
import { type Command, Option } from "commander";
import { addOperation } from "../operation-command.ts";
import { repeatedPath } from "../option-values.ts";

interface MessageOptions {
  message: string;
  attach?: string[];
  delivery?: Delivery;
  idempotencyKey?: string;
}

interface StreamOptions extends MessageOptions {
  includeRaw?: true;
}

export function addMessages(sessions: Command): void {
  const send = addOperation(sessions, {
    operation: "postMessage",
    usage: "send-message <session-id>",
    request: async (session_id: string, options: MessageOptions) => ({
      params: { session_id },
      headers: { "Idempotency-Key": options.idempotencyKey },
      body: await messageOf(options),
    }),
  });
  addMessageOptions(send).addHelpText("after", sendExamples);

  const stream = addOperation(sessions, {
    operation: "postMessageStream",
    usage: "send-message-stream <session-id>",
    request: async (session_id: string, options: StreamOptions) => ({
      params: { session_id },
      query: { include_raw: options.includeRaw },
      headers: { "Idempotency-Key": options.idempotencyKey },
      body: await messageOf(options),
    }),
  });
  addMessageOptions(stream)
    .option("--include-raw", "add the agent's own messages as `raw`")
    .addHelpText("after", streamExamples);

  addOperation(sessions, {
    operation: "cancelMessage",
    usage: "cancel-message <session-id> <message-id>",
    request: (session_id: string, message_id: string) => ({ params: { session_id, message_id } }),
  });
  addOperation(sessions, {
    operation: "abortTurn",
    usage: "abort <session-id>",
    request: (session_id: string) => ({ params: { session_id } }),
  });
}

function addMessageOptions(command: Command): Command {
  const delivery = new Option("--delivery <how>", "what to do while a turn runs");
  return command
    .requiredOption("-m, --message <text>", "text of the message; - reads standard input (required)")
    .option("--attach <path>", "file to attach; may be repeated", repeatedPath)
    .addOption(delivery.choices(Delivery().options))
    .option("--idempotency-key <key>", "messages with the same key are accepted only once");
}

async function messageOf({ message, attach, delivery }: MessageOptions): Promise<MessageRequest> {
  return {
    message: message === "-" ? await Bun.stdin.text() : message,
    attachments: attach?.map((path) => ({ path })),
    delivery,
  };
}

const sendExamples = `
Examples:
  $ sandbox-agent api sessions send-message demo -m "Why does the build fail?"
  $ git diff | sandbox-agent api sessions send-message demo -m -
  $ sandbox-agent api sessions send-message demo -m "Match this design" --attach mockup.png --delivery steer`;

const streamExamples = `
Examples:
  $ sandbox-agent api sessions send-message-stream demo -m "Why does the build fail?"`;
