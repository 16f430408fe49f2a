/** Runs the program at a terminal of its own, as a person sees it. */
import { launcher, temporaryDirectory } from "./cli-process.ts";

export interface Screen {
  text(): string;
  /** Resolves as soon as what was shown matches; rejects if the program ends without. */
  shows(pattern: RegExp): Promise<void>;
  press(keys: string): void;
  exitCode: Promise<number>;
}

export function startAtTerminal(args: string[], env: Record<string, string>): Screen {
  let text = "";
  let over = false;
  let changed = Promise.withResolvers<void>();
  const wake = () => {
    changed.resolve();
    changed = Promise.withResolvers();
  };
  const child = Bun.spawn([launcher, ...args], {
    env: { ...process.env, XDG_DATA_HOME: temporaryDirectory(), ...env },
    terminal: {
      cols: 200,
      data: (_, bytes) => {
        text += new TextDecoder().decode(bytes);
        wake();
      },
      exit: () => {
        over = true;
        wake();
      },
    },
  });
  const shows = async (pattern: RegExp) => {
    while (!pattern.test(text)) {
      if (over) throw new Error(`ended without ${pattern}: ${text}`);
      await changed.promise;
    }
  };
  return { text: () => text, shows, press: (keys) => child.terminal?.write(keys), exitCode: child.exited };
}
