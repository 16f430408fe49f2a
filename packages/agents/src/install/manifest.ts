/** The pinned version of each agent and the sources of its program. The only place with versions and URLs. */
import { textAt } from "../json.ts";
import { type Platform, platformName, targetTriple } from "./platform.ts";

export interface Recipe {
  /** Name of the program on PATH, or its path; null = PATH is not searched. */
  program: string | null;
  /** Other names on PATH, tried after the first. */
  aliases?: readonly string[];
  /** The version that is installed by default; null = the newest. */
  version: string | null;
  /** The version of the recipe is used even if another one was installed later. */
  pinned?: true;
  /**
   * Never run the program to read its version. It is untested and may start for real with any argument, and listing dozens
   * of agents must not start dozens of programs.
   */
  mute?: true;
  /** The program is JavaScript and runs on the runtime inside our own executable. */
  runtime?: "bun";
  npm?: NpmRecipe;
  vendor?: VendorRecipe;
}

export interface NpmRecipe {
  package(platform: Platform): string;
  /** The version of the package, if platform builds are versions of one package. */
  version?(version: string, platform: Platform): string;
  /** The program, relative to the package. Default: from the `bin` of the package. */
  executable?(platform: Platform): string;
  /** Which program of `bin`, if there are several. */
  bin?: string;
}

export interface VendorRecipe {
  /** Base URL of all files; SANDBOX_AGENT_<AGENT>_RELEASES_URL replaces it with a mirror. */
  releasesUrl: string;
  /**
   * How to find the newest version: the text at `<releases>/latest`, or the last part of its redirect target. "fixed": only
   * the version of the recipe is available.
   */
  latest: "text" | "redirect" | "fixed";
  /** Name of that file, if it is not `latest`. */
  latestName?: string;
  /** The file to download, relative to the releases: the program itself, or an archive. */
  asset(version: string, platform: Platform): string;
  kind: "program" | "archive";
  /** The program, relative to the installation folder. */
  executable: string;
  /** The SHA-256 of the asset, if it is known in advance. */
  sha256?: string;
  checksums?: {
    /** Relative to the releases. */
    file(version: string): string;
    /** Reads the SHA-256 of the asset from the text of that file. */
    read(text: string, asset: string, platform: Platform): string | undefined;
  };
}

export type Manifest = Readonly<Record<string, Recipe>>;

export const manifest: Manifest = {
  claude: {
    program: "claude",
    version: "2.1.197",
    npm: {
      package: (platform) => `@anthropic-ai/claude-code-${platformName(platform)}`,
      executable: () => "claude",
    },
    vendor: {
      releasesUrl: "https://downloads.claude.ai/claude-code-releases",
      latest: "text",
      asset: (version, platform) => `${version}/${platformName(platform)}/claude`,
      kind: "program",
      executable: "claude",
      checksums: {
        file: (version) => `${version}/manifest.json`,
        read: (text, _, platform) => checksumInManifest(text, platformName(platform)),
      },
    },
  },
  codex: {
    program: "codex",
    version: "0.166.0",
    npm: {
      package: () => "@openai/codex",
      version: (version, { os, arch }) => `${version}-${os}-${arch}`,
      // Codex looks for other programs beside itself, so it is run inside the package.
      executable: (platform) => `vendor/${targetTriple(platform)}/bin/codex`,
    },
    vendor: {
      releasesUrl: "https://github.com/openai/codex/releases",
      latest: "redirect",
      asset: (version, platform) => `download/rust-v${version}/codex-package-${targetTriple(platform)}.tar.gz`,
      kind: "archive",
      executable: "bin/codex",
      checksums: {
        file: (version) => `download/rust-v${version}/codex-package_SHA256SUMS`,
        read: checksumInSums,
      },
    },
  },
  opencode: {
    program: "opencode",
    version: "1.18.33",
    npm: {
      package: (platform) => `opencode-${platformName(platform)}`,
      executable: () => "bin/opencode",
    },
    vendor: {
      releasesUrl: "https://github.com/anomalyco/opencode/releases",
      latest: "redirect",
      asset: (version, platform) =>
        `download/v${version}/opencode-${platformName(platform)}.${platform.os === "darwin" ? "zip" : "tar.gz"}`,
      kind: "archive",
      executable: "opencode",
    },
  },
  pi: {
    program: "pi",
    version: "0.87.1",
    runtime: "bun",
    npm: {
      package: () => "@earendil-works/pi-coding-agent",
      executable: () => "dist/bundle/cli.js",
    },
  },
  cursor: {
    program: "cursor-agent",
    // A very common name, so it is tried second.
    aliases: ["agent"],
    version: "2026.10.01-e373342",
    vendor: {
      releasesUrl: "https://downloads.cursor.com/lab",
      latest: "text",
      asset: (version, { os, arch }) => `${version}/${os}/${arch}/agent-cli-package.tar.gz`,
      kind: "archive",
      executable: "dist-package/cursor-agent",
    },
  },
  amp: {
    program: "amp",
    version: "0.0.1790142911-g7618fb",
    npm: {
      package: (platform) => `@ampcode/cli-${platformName(platform)}`,
      executable: () => "amp",
    },
    vendor: {
      releasesUrl: "https://storage.googleapis.com/amp-public-assets-prod-0/cli",
      latest: "text",
      latestName: "cli-version.txt",
      asset: (version, platform) => `${version}/amp-${platformName(platform)}`,
      kind: "program",
      executable: "amp",
    },
  },
};

/** `{ platforms: { "linux-x64": { checksum: "…" } } }` */
function checksumInManifest(text: string, platform: string): string | undefined {
  return textAt(JSON.parse(text), "platforms", platform, "checksum") ?? undefined;
}

/** Lines of `<sha256>  <file>`, as `sha256sum` writes them. */
function checksumInSums(text: string, asset: string): string | undefined {
  const name = asset.slice(asset.lastIndexOf("/") + 1);
  const fields = text.split("\n").map((line) => line.trim().split(/\s+\*?/));
  return fields.find(([, file]) => file === name)?.[0];
}
