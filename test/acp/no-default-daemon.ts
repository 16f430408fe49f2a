/**
 * Preloaded into the command line by tests: a daemon that somebody runs at the default address is none of theirs. The default port
 * is one that nobody uses, or the one that the test names.
 */
const port = process.env.TEST_DEFAULT_PORT ?? "1";

Bun.plugin({
  name: "no default daemon",
  setup(build) {
    build.onLoad({ filter: /cli\/src\/default-address\.ts$/ }, async ({ path }) => ({
      contents: (await Bun.file(path).text()).replace("2468", port),
      loader: "ts",
    }));
  },
});
