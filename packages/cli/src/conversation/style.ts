/** Colours, only on a terminal and without NO_COLOR. */
import { styleText } from "node:util";

export type Style = ReturnType<typeof styleFor>;

export function styleFor(stream: NodeJS.WriteStream) {
  const paint = (format: Parameters<typeof styleText>[0]) => (text: string) => styleText(format, text, { stream });
  return {
    dim: paint("dim"),
    bold: paint("bold"),
    red: paint("red"),
    green: paint("green"),
    yellow: paint("yellow"),
    cyan: paint("cyan"),
  };
}
