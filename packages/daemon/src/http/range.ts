/** The `Range` header: which part of something is asked for. */

export interface Part {
  start: number;
  /** Exclusive. */
  end: number;
}

/** Null = all of it: no range, several, or one that is not understood, which all may be answered with the whole. */
export function rangeOf(header: string | null, size: number): Part | "unsatisfiable" | null {
  const [, from = "", to = ""] = header?.match(/^\s*bytes\s*=\s*(\d{0,15})\s*-\s*(\d{0,15})\s*$/i) ?? [];
  if (from === "" && to === "") return null;
  if (from === "") return lastBytes(Number(to), size);
  const start = Number(from);
  const end = to === "" ? size : Math.min(Number(to) + 1, size);
  if (to !== "" && Number(to) < start) return null;
  return start < size ? { start, end } : "unsatisfiable";
}

function lastBytes(count: number, size: number): Part | "unsatisfiable" {
  if (count === 0 || size === 0) return "unsatisfiable";
  return { start: Math.max(0, size - count), end: size };
}
