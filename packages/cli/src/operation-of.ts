/** The API operation of a command. A test checks with it that every operation has a command. */
import type { OperationId } from "@sandbox-agent/schema";
import type { Command } from "commander";

const operationByCommand = new WeakMap<Command, OperationId>();

export function setOperation(command: Command, operation: OperationId): void {
  operationByCommand.set(command, operation);
}

export function operationOf(command: Command): OperationId | undefined {
  return operationByCommand.get(command);
}
