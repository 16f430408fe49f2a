/** Commands that perform one operation of the API each. */
import { type OperationId, operations } from "@sandbox-agent/schema";
import type { Command } from "commander";
import { call, type OperationRequest } from "./client.ts";
import { connectionOf } from "./connection.ts";
import { standsFor } from "./operation-of.ts";
import { printAnswer, type View } from "./print.ts";

export interface OperationCommand<Id extends OperationId, Args extends unknown[]> {
  operation: Id;
  /** Name and arguments, as commander writes them. */
  usage: string;
  /** Makes the request from the arguments followed by the options. */
  request(...args: Args): OperationRequest<Id> | Promise<OperationRequest<Id>>;
  table?: View["table"];
}

export function addOperation<Id extends OperationId, Args extends unknown[]>(
  parent: Command,
  { operation, usage, request, table }: OperationCommand<Id, Args>,
): Command {
  const command = operationCommand(parent, operation, usage);
  if (table) command.option("--json", "print JSON even to a terminal");
  return command.action(async (...args: Args) => {
    const response = await call(connectionOf(command), operation, await request(...args));
    await printAnswer(
      operations[operation].success,
      response,
      table && { table, json: command.getOptionValue("json") },
    );
  });
}

/** A command that stands for an operation and performs it in a way of its own. */
export function operationCommand(parent: Command, operation: OperationId, usage: string): Command {
  const command = parent.command(usage).description(operations[operation].summary);
  standsFor(command, operation);
  return command;
}
