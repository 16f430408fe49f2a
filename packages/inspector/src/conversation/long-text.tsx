/** Shows the beginning of a long text and the rest on request, so that a huge message does not block the page. */
import { type ReactNode, useState } from "react";
import { Button } from "../design/index.ts";
import { bytes } from "../sessions/format.ts";

const initialLength = 60_000;
const stepLength = 500_000;

export function LongText({ text, children }: { text: string; children: (shown: string) => ReactNode }) {
  const [limit, setLimit] = useState(initialLength);
  if (text.length <= limit) return children(text);
  return (
    <>
      {children(text.slice(0, limit))}
      <Button small onClick={() => setLimit(limit + stepLength)}>
        Show more ({bytes(text.length - limit)} hidden)
      </Button>
    </>
  );
}
