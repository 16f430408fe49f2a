/** How a command fails: an ordinary failure ends the program with 1, a mistake in the command line with 2. */

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

/** The daemon refused; `body` is its answer, to be shown as it is. */
export class Refusal extends Error {
  constructor(readonly body: string) {
    super("the daemon refused the request");
    this.name = "Refusal";
  }
}

/** Says what went wrong, for use inside a sentence. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
