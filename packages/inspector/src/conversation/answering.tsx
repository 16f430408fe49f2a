/** The buttons of a request, or the reason why there are none. */
import type { ReactNode } from "react";
import { useHasScope } from "../app/access.tsx";
import { Notice } from "../design/index.ts";

export function Answering({ children }: { children: ReactNode }) {
  if (!useHasScope("approve")) return <Notice>This token does not allow you to answer requests.</Notice>;
  return <footer>{children}</footer>;
}
