import { defineConfig } from "vitest/config";

// Tests run on Bun (`bun --bun vitest`), the runtime the daemon runs on.
export default defineConfig({
  test: {
    include: ["packages/*/src/**/*.test.ts", "test/**/*.test.ts"],
    // The daemon serves the inspector that was built.
    globalSetup: ["packages/inspector/build.ts"],
    reporters: ["./test/harness/skip-reporter.ts", "default"],
    // Tests wait for conditions. These limits are for what never comes, so they allow for a machine that is very busy.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
  },
});
