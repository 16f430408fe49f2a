/** Waits for a promise with a time limit. The timer is cleared as soon as the promise settles. */

/** The value of the promise, or undefined after the time limit. A later result is ignored. */
export function within<Value>(milliseconds: number, promise: PromiseLike<Value>): Promise<Value | undefined>;
/** The same; `onTimeout` gives the value to use instead, or throws. */
export function within<Value, Otherwise>(
  milliseconds: number,
  promise: PromiseLike<Value>,
  onTimeout: () => Otherwise,
): Promise<Value | Otherwise>;
export function within<Value>(
  milliseconds: number,
  promise: PromiseLike<Value>,
  onTimeout: () => unknown = () => undefined,
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      try {
        resolve(onTimeout());
      } catch (error) {
        reject(error);
      }
    }, milliseconds);
    promise.then(resolve, reject).then(() => clearTimeout(timer));
  });
}
