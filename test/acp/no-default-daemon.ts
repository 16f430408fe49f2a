/**
 * Preloaded into the command line by tests, so that they do not use a daemon that already runs at the default address. The
 * default port is an unused one, or the one that the test sets.
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
