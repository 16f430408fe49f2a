/** Formats times, durations and sizes. */
export function clockText(time: string | number): string {
  return new Date(time).toLocaleTimeString(undefined, { hour12: false });
}

/** With milliseconds. */
export function exactClockText(time: string | number): string {
  return `${clockText(time)}.${String(new Date(time).getMilliseconds()).padStart(3, "0")}`;
}

export function durationText(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  const seconds = milliseconds / 1000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${Math.floor(seconds % 60)} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

const units = ["B", "kB", "MB", "GB", "TB"];

export function sizeText(bytes: number): string {
  const unit = Math.min(units.length - 1, bytes < 1000 ? 0 : Math.floor(Math.log10(bytes) / 3));
  return `${unit === 0 ? bytes : (bytes / 1000 ** unit).toFixed(1)} ${units[unit]}`;
}
