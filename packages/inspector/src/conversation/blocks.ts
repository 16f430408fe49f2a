/**
 * Splits Markdown into blocks that are rendered separately. While a message streams in, only its last block changes, so the
 * others are not parsed again. Text is split only where it cannot change the meaning: at a blank line outside of fences, before
 * a line that starts a new block.
 */
const fence = /^ {0,3}(`{3,}|~{3,})/;
/** Indented lines, list items, quotes and table rows may belong to the block above them. */
const continues = /^(\s|[-*+>|]|\d{1,9}[.)])/;

export function blocksOf(markdown: string): string[] {
  const blocks: string[] = [];
  let block: string[] = [];
  let openFence: string | null = null;
  let afterBlank = false;
  for (const line of markdown.split("\n")) {
    if (afterBlank && openFence === null && line !== "" && !continues.test(line)) {
      blocks.push(block.join("\n"));
      block = [];
    }
    const [, marker] = line.match(fence) ?? [];
    if (marker && openFence === null) openFence = marker;
    else if (marker && openFence !== null && marker.startsWith(openFence)) openFence = null;
    block.push(line);
    afterBlank = line.trim() === "";
  }
  blocks.push(block.join("\n"));
  return blocks;
}
