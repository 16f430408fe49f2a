import { defineConfig } from "vitest/config";

// Tests run on Bun (`bun --bun vitest`), the runtime the daemon runs on.
export default defineConfig({
  test: {
    include: ["packages/*/src/**/*.test.ts", "test/**/*.test.ts"],
    // The daemon serves the inspector that was built.
    globalSetup: ["packages/inspector/build.ts"],
    reporters: ["./test/harness/skip-reporter.ts", "default"],
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
