/** Formats numbers and times. */
const compact = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });

export function tokens(count: number): string {
  return compact.format(count);
}

export function cost(usd: number): string {
  return usd >= 0.1 || usd === 0 ? `$${usd.toFixed(2)}` : `$${usd.toFixed(4)}`;
}

const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto", style: "narrow" });
const units: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
];

export function ago(time: number, now = Date.now()): string {
  const [unit, size] = units.find(([, size]) => now - time >= size) ?? [];
  return unit && size ? relative.format(-Math.floor((now - time) / size), unit) : "now";
}

export function bytes(count: number): string {
  return new Intl.NumberFormat("en", {
    notation: "compact",
    style: "unit",
    unit: "byte",
    unitDisplay: "narrow",
    maximumFractionDigits: 1,
  }).format(count);
}
