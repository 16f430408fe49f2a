import { defineConfig } from "vitest/config";

/** Tests that leave nothing behind in their process, so that one can load the modules once for all of them. */
const sharing = ["packages/{schema,daemon,inspector}/src/**/*.test.ts", "test/http/**/*.test.ts"];

// Tests run on Bun (`bun --bun vitest`), the runtime the daemon runs on.
export default defineConfig({
  test: {
    projects: [
      { extends: true, test: { name: "sharing", include: sharing, isolate: false } },
      {
        extends: true,
        test: { name: "alone", include: ["packages/*/src/**/*.test.ts", "test/**/*.test.ts"], exclude: sharing },
      },
    ],
    // The daemon serves the inspector that was built.
    globalSetup: ["packages/inspector/build.ts"],
    reporters: ["./test/harness/skip-reporter.ts", "default"],
    // Tests wait for conditions. These limits are for what never comes, so they allow for a machine that is very busy.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
  },
});
