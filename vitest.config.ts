import { defineConfig } from "vitest/config";

// Tests run on Bun (`bun --bun vitest`), the runtime the daemon runs on.
export default defineConfig({
  test: {
    include: ["packages/*/src/**/*.test.ts", "test/**/*.test.ts"],
    // The daemon serves the inspector that was built.
    globalSetup: ["packages/inspector/build.ts"],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // A condition that is waited for may take long on a busy machine.
    expect: { poll: { timeout: 20_000 } },
  },
});
