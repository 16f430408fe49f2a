/** Shows the progress of an installation: a bar in a terminal, lines elsewhere. */
import type { InstallProgress } from "@sandbox-agent/agents";

interface Screen {
  isTTY?: boolean;
  columns?: number;
  write(text: string): unknown;
}

const barWidth = 30;
const clearLine = "\r\u001b[2K";

export function createProgressView(screen: Screen): (progress: InstallProgress) => void {
  return screen.isTTY ? drawBar(screen) : writeLines(screen);
}

function drawBar(screen: Screen): (progress: InstallProgress) => void {
  return (progress) => {
    const isOver = progress.phase === "done" || progress.phase === "failed";
    // A wrapped line cannot be cleared.
    const line = isOver ? "" : barLine(progress).slice(0, (screen.columns ?? 80) - 1);
    screen.write(`${clearLine}${line}`);
  };
}

function barLine({ agent, phase, message, fraction }: InstallProgress): string {
  if (fraction === undefined) return `${agent}  ${phase}  ${message}`;
  const full = Math.round(fraction * barWidth);
  const percent = `${Math.round(fraction * 100)}%`.padStart(4);
  return `${agent}  ${phase}  [${"#".repeat(full)}${"-".repeat(barWidth - full)}] ${percent}  ${message}`;
}

/** Prints every step once. The command itself prints the result or problem. */
function writeLines(screen: Screen): (progress: InstallProgress) => void {
  let last = "";
  return ({ agent, phase, message }) => {
    const line = `${agent}: ${phase}: ${message}`;
    if (line === last || phase === "done" || phase === "failed") return;
    last = line;
    screen.write(`${line}\n`);
  };
}
