/** The foot of a request: its buttons, or the reason why there are none. */
import type { ReactNode } from "react";
import { useMay } from "../app/access.tsx";
import { Notice } from "../design/index.ts";

export function Answering({ children }: { children: ReactNode }) {
  if (!useMay("approve")) return <Notice>The token of this page does not allow to answer.</Notice>;
  return <footer>{children}</footer>;
}
