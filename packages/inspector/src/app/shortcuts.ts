/** Keyboard shortcuts: single keys, which count only where nobody types. */
import { useEffect } from "react";

export type Shortcuts = Readonly<Record<string, () => void>>;

export function useShortcuts(shortcuts: Shortcuts): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      const run = shortcuts[event.key];
      if (!run) return;
      event.preventDefault();
      run();
    };
    addEventListener("keydown", listen);
    return () => removeEventListener("keydown", listen);
  }, [shortcuts]);
}

/** Dialogs and menus have keys of their own; terminals and editors take all of them. */
function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || target.closest("input, textarea, select, [role=dialog], [role=menu]") !== null;
}
