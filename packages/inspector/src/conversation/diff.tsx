/** A change of a file. The viewer is loaded on demand; until then, the patch is shown as plain text. */
import { lazy, Suspense } from "react";
import { Code } from "../design/index.ts";

const DiffView = lazy(() => import("./diff-view.tsx"));

export interface DiffProps {
  path: string;
  /** A unified diff, with or without its header. */
  patch: string;
  /** Default: side by side if it is wide enough. */
  view?: "split" | "unified";
  /** Whether to show path, counts and the choice of view (default: true). */
  head?: boolean;
}

/** Longer patches are shown as plain text. */
const maxPatchLength = 300_000;

export function Diff(props: DiffProps) {
  const plain = <Code text={props.patch} label={`Changes to ${props.path}`} maxHeight={420} />;
  if (props.patch.length > maxPatchLength) return plain;
  return (
    <Suspense fallback={plain}>
      <DiffView {...props} />
    </Suspense>
  );
}
