/** Commands that perform one API operation. */
import { type OperationId, operations } from "@sandbox-agent/schema";
import type { Command } from "commander";
import { call, type OperationRequest } from "./client.ts";
import { connectionOf } from "./connection.ts";
import { setOperation } from "./operation-of.ts";
import { printAnswer, type View } from "./print.ts";

export interface OperationCommand<Id extends OperationId, Args extends unknown[]> {
  operation: Id;
  /** Name and arguments, in commander syntax. */
  usage: string;
  /** Creates the request from the arguments and the options. */
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

/** A command for an operation, with a custom action. */
export function operationCommand(parent: Command, operation: OperationId, usage: string): Command {
  const command = parent.command(usage).description(operations[operation].summary);
  setOperation(command, operation);
  return command;
}
