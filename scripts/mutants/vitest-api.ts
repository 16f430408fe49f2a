/** Preloaded into `bun test`: vitest functions that the tests use and Bun's test runner does not have. */
import { expect, vi } from "bun:test";

const interval = 25;
const changed = new Map<string, string | undefined>();

async function waitFor<T>(attempt: () => T | Promise<T>, { timeout = 60_000 } = {}): Promise<T> {
  const deadline = Date.now() + timeout;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await Bun.sleep(interval);
    }
  }
}

function poll(read: () => unknown, options?: { timeout?: number }): unknown {
  const matchers = (negated: boolean): unknown =>
    new Proxy(Object.create(null), {
      get: (_, name: string) => {
        if (name === "not") return matchers(true);
        return (...expected: unknown[]) =>
          waitFor(async () => {
            const value = expect(await read());
            const matcher = Reflect.get(negated ? value.not : value, name);
            await Reflect.apply(matcher, negated ? value.not : value, expected);
          }, options);
      },
    });
  return matchers(false);
}

Object.assign(expect, { poll });
Object.assign(vi, {
  waitFor,
  stubEnv(name: string, value: string | undefined) {
    if (!changed.has(name)) changed.set(name, process.env[name]);
    setVariable(name, value);
  },
  unstubAllEnvs() {
    for (const [name, value] of changed) setVariable(name, value);
    changed.clear();
  },
});

function setVariable(name: string, value: string | undefined): void {
  if (value === undefined) delete process.env[name];
  else process.env[name] = value;
}
