/** The scopes of this page's token. Actions that it does not allow are not shown. */
import { createContext, type ReactNode, useContext } from "react";
import type { AccessInfo, Scope } from "sandbox-agent";

const AccessContext = createContext<AccessInfo | null>(null);

export const AccessProvider = AccessContext;

/** Null for a daemon without scopes. */
export function useAccess(): AccessInfo | null {
  return useContext(AccessContext);
}

export function useMay(scope: Scope): boolean {
  return mayUse(useAccess(), scope);
}

export function mayUse(access: AccessInfo | null, scope: Scope): boolean {
  return access === null || access.scopes.includes(scope);
}

/** Attachments are uploaded outside of sessions, which a token for single sessions cannot access. */
export function useMayAttach(): boolean {
  const access = useAccess();
  return mayUse(access, "files") && mayUse(access, "prompt") && (access?.sessions ?? null) === null;
}

/** Renders its children only if the token has the scope. */
export function Allowed({ scope, children }: { scope: Scope; children: ReactNode }) {
  return useMay(scope) ? children : null;
}
