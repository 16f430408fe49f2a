/** An xterm.js terminal as a component, with the colours and size of its container. `attach` connects it. */
import { FitAddon } from "@xterm/addon-fit";
import { type ITheme, Terminal } from "@xterm/xterm";
import "@xterm/xterm/css/xterm.css";
import { useEffect, useRef } from "react";
import type { TerminalSize } from "sandbox-agent";
import styles from "./terminals.module.css";

export interface Attached {
  /** Called with the size, in characters, that fits the container. */
  onResize(size: TerminalSize): void;
  close(): void;
}

interface Props {
  label: string;
  readOnly?: boolean;
  /** Must be stable: a new function creates a new terminal. */
  attach(terminal: Terminal): Attached;
}

export function XtermView({ label, readOnly = false, attach }: Props) {
  const container = useRef<HTMLDivElement>(null);

  useEffect(() => {
    const host = container.current;
    if (!host) return;
    const terminal = new Terminal({
      allowProposedApi: true,
      convertEol: readOnly,
      cursorBlink: !readOnly,
      disableStdin: readOnly,
      fontFamily: getComputedStyle(host).fontFamily,
      fontSize: 12.5,
      scrollback: 10_000,
      theme: themeAt(host),
    });
    const fit = new FitAddon();
    terminal.loadAddon(fit);
    terminal.open(host);
    terminal.textarea?.setAttribute("aria-label", label);

    const attached = attach(terminal);
    const measure = () => {
      const size = fit.proposeDimensions();
      if (size && size.cols > 1 && size.rows > 1) attached.onResize(size);
    };
    const sizes = new ResizeObserver(measure);
    sizes.observe(host);
    return () => {
      sizes.disconnect();
      attached.close();
      terminal.dispose();
    };
  }, [attach, label, readOnly]);

  return <div ref={container} className={styles.screen} />;
}

/** Takes the colours from the container. */
function themeAt(host: Element): ITheme {
  const { backgroundColor: background, color: foreground } = getComputedStyle(host);
  return { background, foreground, cursor: foreground, selectionBackground: "#44459a" };
}
