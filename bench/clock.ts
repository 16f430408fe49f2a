/** Wall-clock time with a resolution below a millisecond, comparable between processes of one machine. */
export function preciseTime(): number {
  return performance.timeOrigin + performance.now();
}
