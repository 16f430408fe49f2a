/** A clock that processes of one machine share, finer than milliseconds. */
export function preciseTime(): number {
  return performance.timeOrigin + performance.now();
}
