/** The figures as SVG charts for light and dark pages. */
import type { Curve } from "../measure/growth.ts";
import type { Comparison } from "./figure.ts";

const style = `<style>
  text { font: 12px system-ui, sans-serif; fill: #57606a }
  .us { fill: #2f81f7 } .them { fill: #8b949e } .line { stroke: #2f81f7; stroke-width: 2; fill: none } .axis { stroke: #8b949e; stroke-opacity: 0.4 }
  @media (prefers-color-scheme: dark) { text { fill: #9198a1 } }
</style>`;

/** Two bars for each piece of work; the longer one has the full width. */
export function comparisonPlot(rows: readonly Comparison[], [us, them]: readonly [string, string]): string {
  const both = rows.filter(({ ours, theirs }) => theirs !== null && theirs > 0 && ours > 0);
  const [left, barWidth, rowHeight, top] = [330, 300, 36, 30];
  const bars = both.map(({ work, unit, ours, theirs }, index) => {
    const y = top + index * rowHeight;
    const most = Math.max(ours, theirs ?? 0);
    const bar = (value: number, kind: string, at: number) =>
      `<rect class="${kind}" x="${left}" y="${at}" width="${((value / most) * barWidth).toFixed(1)}" height="11" rx="2"/>` +
      `<text x="${left + (value / most) * barWidth + 6}" y="${at + 10}">${short(value)} ${unit}</text>`;
    return `<text x="${left - 8}" y="${y + 16}" text-anchor="end">${escaped(work)}</text>${bar(ours, "us", y)}${bar(theirs ?? 0, "them", y + 13)}`;
  });
  const key =
    `<rect class="us" x="${left}" y="6" width="11" height="11"/><text x="${left + 16}" y="16">${us}</text>` +
    `<rect class="them" x="${left + 130}" y="6" width="11" height="11"/><text x="${left + 146}" y="16">${them}</text>`;
  return svg(`${us} and ${them} on the same work`, left + barWidth + 130, top + both.length * rowHeight, [
    key,
    ...bars,
  ]);
}

/** One small chart per curve. Both axes are logarithmic, the y axis at half scale. */
export function growthPlot(curves: readonly Curve[], of: string): string {
  const [width, height, columns] = [280, 170, 3];
  const charts = curves.map((curve, index) => {
    const x = (index % columns) * width;
    const y = Math.floor(index / columns) * height;
    return `<g transform="translate(${x} ${y})">${chart(curve, of, width, height)}</g>`;
  });
  return svg(`Growth by ${of}`, width * columns, Math.ceil(curves.length / columns) * height, charts);
}

function chart({ title, unit, points }: Curve, of: string, width: number, height: number): string {
  const [left, top, right, bottom] = [20, 34, width - 40, height - 34];
  const decades = Math.max(1, Math.log10((points.at(-1)?.x ?? 1) / (points[0]?.x ?? 1)));
  const perDecade = (right - left) / decades;
  const lowest = Math.min(...points.map(({ y }) => y));
  const at = ({ x, y }: { x: number; y: number }) => ({
    x: left + Math.log10(x / (points[0]?.x ?? 1)) * perDecade,
    y: Math.max(top, bottom - Math.log10(y / lowest) * perDecade * 0.5),
  });
  const path = points.map((point) => `${at(point).x.toFixed(1)},${at(point).y.toFixed(1)}`).join(" ");
  const marks = points.map((point) => {
    const { x, y } = at(point);
    return `<circle class="us" cx="${x}" cy="${y}" r="3"/><text x="${x}" y="${y - 7}" text-anchor="middle">${short(point.y)}</text><text x="${x}" y="${bottom + 16}" text-anchor="middle">${short(point.x)}</text>`;
  });
  return `<text x="${left}" y="14">${escaped(title)} (${unit}), by ${of}</text><line class="axis" x1="${left}" y1="${bottom + 2}" x2="${right}" y2="${bottom + 2}"/><polyline class="line" points="${path}"/>${marks.join("")}`;
}

function svg(title: string, width: number, height: number, content: readonly string[]): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"><title>${title}</title>${style}${content.join("\n")}</svg>\n`;
}

function short(value: number): string {
  return new Intl.NumberFormat("en", { notation: "compact", maximumSignificantDigits: 3 }).format(value);
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
