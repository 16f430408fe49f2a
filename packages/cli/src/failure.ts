/** Errors of commands. The exit code is 1, or 2 for a usage error. */

export class Failure extends Error {
  constructor(
    message: string,
    readonly exitCode: 1 | 2 = 1,
  ) {
    super(message);
    this.name = "Failure";
  }
}

export function usageError(message: string): Failure {
  return new Failure(message, 2);
}

/** The daemon refused the request. `body` is its response, which is printed unchanged. */
export class Refusal extends Error {
  constructor(readonly body: string) {
    super("the daemon refused the request");
    this.name = "Refusal";
  }
}

/** The message of an error. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
