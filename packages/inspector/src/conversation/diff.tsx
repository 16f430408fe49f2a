/** A change of a file. The viewer is a chunk of its own; until it is there, the patch is shown as it is. */
import { lazy, Suspense } from "react";
import { Code } from "../design/index.ts";

const DiffView = lazy(() => import("./diff-view.tsx"));

export interface DiffProps {
  path: string;
  /** A unified diff, with or without its head. */
  patch: string;
  /** Side by side where there is room, unless said. */
  view?: "split" | "unified";
  /** Path, counts and the choice of view; leave it out where they stand already. */
  head?: boolean;
}

/** Longer ones are for an editor. */
const longestPatch = 300_000;

export function Diff(props: DiffProps) {
  const plain = <Code text={props.patch} label={`Changes of ${props.path}`} maxHeight={420} />;
  if (props.patch.length > longestPatch) return plain;
  return (
    <Suspense fallback={plain}>
      <DiffView {...props} />
    </Suspense>
  );
}
