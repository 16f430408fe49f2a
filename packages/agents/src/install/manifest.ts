/** Which version of each agent we use, and where its program comes from. The only place with versions and addresses. */
import { textAt } from "../json.ts";
import { type Platform, platformName, targetTriple } from "./platform.ts";

export interface Recipe {
  /** What the program is called on PATH, or where it lies; null = it is not looked for. */
  program: string | null;
  /** Other names it goes by on PATH, looked for after the first. */
  aliases?: readonly string[];
  /** Installed unless another version is asked for; null = the newest. */
  version: string | null;
  /** That version is used even where another was installed later: whoever wrote the recipe has chosen it. */
  pinned?: true;
  /**
   * Never ask the program for its version. We have not tried this one: it may take any question for a start, and a list
   * of dozens of agents must not start dozens of programs.
   */
  mute?: true;
  /** The program is JavaScript and runs on the runtime inside our own executable. */
  runtime?: "bun";
  npm?: NpmRecipe;
  vendor?: VendorRecipe;
}

export interface NpmRecipe {
  package(platform: Platform): string;
  /** The version to ask for, where builds for platforms are versions of one package. */
  version?(version: string, platform: Platform): string;
  /** The program, below the folder of the package. Without it, the package's own list of programs counts. */
  executable?(platform: Platform): string;
  /** Which one of that list, where there are several. */
  bin?: string;
}

export interface VendorRecipe {
  /** Below it lies everything; SANDBOX_AGENT_<AGENT>_RELEASES_URL names another place with the same files. */
  releasesUrl: string;
  /**
   * The newest version is the text at `<releases>/latest`, or the last part of where that redirects to. "fixed": there is
   * only the version of the recipe.
   */
  latest: "text" | "redirect" | "fixed";
  /** What it is called there, where it is not `latest`. */
  latestName?: string;
  /** What to download, below the releases: the program itself, or an archive. */
  asset(version: string, platform: Platform): string;
  kind: "program" | "archive";
  /** The program, below the folder everything is put in. */
  executable: string;
  /** The SHA-256 of the asset, where it is known beforehand. */
  sha256?: string;
  checksums?: {
    /** Below the releases. */
    file(version: string): string;
    /** The SHA-256 of the asset, found in the text of that file. */
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
      // It looks for further programs beside itself, so it is run where the package has it.
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
    // A very common name, so it comes second.
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
