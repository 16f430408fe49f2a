/** An xterm.js terminal as a component: colours of the page, the size of its place. What it shows is up to `attach`. */
import { FitAddon } from "@xterm/addon-fit";
import { type ITheme, Terminal } from "@xterm/xterm";
import "@xterm/xterm/css/xterm.css";
import { useEffect, useRef } from "react";
import type { TerminalSize } from "sandbox-agent";
import styles from "./terminals.module.css";

export interface Attached {
  /** The place has room for this many characters. */
  fits(size: TerminalSize): void;
  close(): void;
}

interface Props {
  label: string;
  readOnly?: boolean;
  /** Must be stable: another function is another terminal. */
  attach(terminal: Terminal): Attached;
}

export function XtermView({ label, readOnly = false, attach }: Props) {
  const place = useRef<HTMLDivElement>(null);

  useEffect(() => {
    const host = place.current;
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
      if (size && size.cols > 1 && size.rows > 1) attached.fits(size);
    };
    const sizes = new ResizeObserver(measure);
    sizes.observe(host);
    return () => {
      sizes.disconnect();
      attached.close();
      terminal.dispose();
    };
  }, [attach, label, readOnly]);

  return <div ref={place} className={styles.screen} />;
}

/** Its place has the colours; xterm draws with them. */
function themeAt(host: Element): ITheme {
  const { backgroundColor: background, color: foreground } = getComputedStyle(host);
  return { background, foreground, cursor: foreground, selectionBackground: "#44459a" };
}
