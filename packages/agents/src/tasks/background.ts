/**
 * Work that nobody awaits. A promise without an owner must not become an unhandled rejection: every one of them goes through
 * `background`, and its failure reaches the handler that the daemon has set, with the name of the task and its session.
 */
export interface TaskFailure {
  /** What was being done, for the log: "close the agent", "scan the directory". */
  task: string;
  sessionId?: string;
  error: unknown;
}

type FailureHandler = (failure: TaskFailure) => void;

let handler: FailureHandler = ({ task, error }) => console.error(`background task failed: ${task}`, error);

/** Sets who gets the failures of background tasks. Returns the way back to the handler before. */
export function onTaskFailure(next: FailureHandler): () => void {
  const previous = handler;
  handler = next;
  return () => {
    if (handler === next) handler = previous;
  };
}

export function reportTaskFailure(failure: TaskFailure): void {
  handler(failure);
}

/** Runs a task that nobody awaits. It may also be a value: then there is nothing to wait for. */
export function background(task: string, work: PromiseLike<unknown> | unknown, sessionId?: string): void {
  Promise.resolve(work).catch((error: unknown) => handler({ task, ...(sessionId && { sessionId }), error }));
}
