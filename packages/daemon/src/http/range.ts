/** The `Range` header. */

export interface Part {
  start: number;
  /** Exclusive. */
  end: number;
}

/** Null = the whole file: without a range, with several, or with one that cannot be parsed. */
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
