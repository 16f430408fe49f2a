/** Text of any length: the beginning, and the rest on request, so that no message can make the page stand still. */
import { type ReactNode, useState } from "react";
import { Button } from "../design/index.ts";
import { bytes } from "../sessions/format.ts";

const shownAtFirst = 60_000;
const shownPerClick = 500_000;

export function LongText({ text, children }: { text: string; children: (shown: string) => ReactNode }) {
  const [limit, setLimit] = useState(shownAtFirst);
  if (text.length <= limit) return children(text);
  return (
    <>
      {children(text.slice(0, limit))}
      <Button small onClick={() => setLimit(limit + shownPerClick)}>
        Show more ({bytes(text.length - limit)} hidden)
      </Button>
    </>
  );
}
