/** Which operation of the API a command stands for. A test proves with it that none is missing. */
import type { OperationId } from "@sandbox-agent/schema";
import type { Command } from "commander";

const operationByCommand = new WeakMap<Command, OperationId>();

export function standsFor(command: Command, operation: OperationId): void {
  operationByCommand.set(command, operation);
}

export function operationOf(command: Command): OperationId | undefined {
  return operationByCommand.get(command);
}
