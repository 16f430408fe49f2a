/**
 * Work that is not awaited. Every such promise goes through `background`, so that its failure does not become an unhandled
 * rejection but reaches the handler that the daemon has set, with the name of the task and its session.
 */
export interface TaskFailure {
  /** Name of the task for the log: "close the agent", "scan the directory". */
  task: string;
  sessionId?: string;
  error: unknown;
}

type FailureHandler = (failure: TaskFailure) => void;

let handler: FailureHandler = ({ task, error }) => console.error(`background task failed: ${task}`, error);

/** Sets the handler of failed background tasks. Returns a function that restores the previous handler. */
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

/** Runs a task that is not awaited. `work` may also be a plain value; then nothing happens. */
export function background(task: string, work: PromiseLike<unknown> | unknown, sessionId?: string): void {
  Promise.resolve(work).catch((error: unknown) => handler({ task, ...(sessionId && { sessionId }), error }));
}
