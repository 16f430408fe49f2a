/** What the token of this page allows. What it does not allow is not offered. */
import { createContext, type ReactNode, useContext } from "react";
import type { AccessInfo, Scope } from "sandbox-agent";

const AccessContext = createContext<AccessInfo | null>(null);

export const AccessProvider = AccessContext;

/** null = a daemon that knows no scopes. */
export function useAccess(): AccessInfo | null {
  return useContext(AccessContext);
}

export function useMay(scope: Scope): boolean {
  return mayUse(useAccess(), scope);
}

export function mayUse(access: AccessInfo | null, scope: Scope): boolean {
  return access === null || access.scopes.includes(scope);
}

/** Attachments are uploaded beside all sessions, where a token for some of them reaches nothing. */
export function useMayAttach(): boolean {
  const access = useAccess();
  return mayUse(access, "files") && mayUse(access, "prompt") && (access?.sessions ?? null) === null;
}

/** Its children are there for those with the scope only. */
export function Allowed({ scope, children }: { scope: Scope; children: ReactNode }) {
  return useMay(scope) ? children : null;
}
