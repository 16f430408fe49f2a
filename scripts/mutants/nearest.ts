/** Selects the tests that should detect a change of a source file. */
import { dirname } from "node:path";

interface Nearby {
  sources: RegExp;
  /** Globs; `$1` is the first group of `sources`. */
  tests: string[];
}

/** In addition to the tests in the folder of a source. */
const nearby: Nearby[] = [
  {
    sources: /^packages\/sdk\/src\//,
    tests: ["packages/sdk/src/*.test.ts", "test/sdk/{prompts,listeners,replaced-log,client}.test.ts"],
  },
  {
    sources: /^packages\/agents\/src\/(\w+)\/translate\//,
    tests: ["packages/agents/src/$1/**/*.test.ts", "test/agents/$1-{fixtures,replay,requests}.test.ts"],
  },
  {
    sources: /^packages\/daemon\/src\/session\//,
    tests: [
      "test/http/*.test.ts",
      "test/changes/*.test.ts",
      "test/opencode/changes.test.ts",
      "test/durability/retention.test.ts",
    ],
  },
  {
    sources: /^packages\/daemon\/src\/store\//,
    tests: ["test/http/{events,global-stream,idempotency,storage,delete,sessions,fork,usage}.test.ts"],
  },
  {
    sources: /^packages\/daemon\/src\/(follow\/|http\/(sse|event-page))/,
    tests: [
      "test/streams/*.test.ts",
      "test/http/{event-stream,events,global-stream,message-stream,keep-alive,stopping}.test.ts",
    ],
  },
];

export function nearestTests(sources: string[], root: string): string[] {
  const globs = new Set<string>();
  for (const source of sources) {
    globs.add(`${dirname(source)}/**/*.test.ts`);
    for (const { sources: near, tests } of nearby) {
      const found = near.exec(source);
      if (found) for (const glob of tests) globs.add(glob.replaceAll("$1", found[1] ?? ""));
    }
  }
  return [...new Set([...globs].flatMap((glob) => [...new Bun.Glob(glob).scanSync({ cwd: root })]))].sort();
}
