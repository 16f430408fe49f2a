/** The scopes of the token that this page uses. Actions that need another scope are not shown. */
import { createContext, type ReactNode, useContext } from "react";
import type { AccessInfo, Scope } from "sandbox-agent";

const AccessContext = createContext<AccessInfo | null>(null);

export const AccessProvider = AccessContext;

/** Null if the daemon is of a version without scopes: every action is allowed. */
export function useAccess(): AccessInfo | null {
  return useContext(AccessContext);
}

export function useHasScope(scope: Scope): boolean {
  return hasScope(useAccess(), scope);
}

export function hasScope(access: AccessInfo | null, scope: Scope): boolean {
  return access === null || access.scopes.includes(scope);
}

/** Attachments are uploaded to a path outside of every session. A token that is limited to sessions has no access to it. */
export function useMayAttach(): boolean {
  const access = useAccess();
  return hasScope(access, "files") && hasScope(access, "prompt") && (access?.sessions ?? null) === null;
}

/** Renders its children only if the token has the scope. */
export function Allowed({ scope, children }: { scope: Scope; children: ReactNode }) {
  return useHasScope(scope) ? children : null;
}
