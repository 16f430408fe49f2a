import { ProblemError } from "@sandbox-agent/schema/problem";

/** An address that has sent too many wrong tokens must wait. */
export class TooManyGuesses extends ProblemError {
  constructor(readonly retryAfterSeconds: number) {
    super(
      "too_many_requests",
      `too many wrong tokens came from this address; wait ${retryAfterSeconds} s and send the right one`,
    );
  }
}
