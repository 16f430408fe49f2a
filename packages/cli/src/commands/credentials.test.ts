import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { cli, startProcess, temporaryDirectory } from "../../test/cli-process.ts";

/** No key of whoever runs the tests may be found, let alone printed. */
const noKeys = {
  ANTHROPIC_API_KEY: "",
  CLAUDE_API_KEY: "",
  CLAUDE_CODE_OAUTH_TOKEN: "",
  ANTHROPIC_AUTH_TOKEN: "",
  OPENAI_API_KEY: "",
  CODEX_API_KEY: "",
};

function homeWith(files: Record<string, unknown>): string {
  const home = temporaryDirectory();
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(home, name)), { recursive: true });
    writeFileSync(join(home, name), JSON.stringify(content));
  }
  return home;
}

const home = homeWith({
  ".codex/auth.json": { OPENAI_API_KEY: "sk-openai-1234567890" },
  ".claude/.credentials.json": { claudeAiOauth: { accessToken: "login-token-0987654321" } },
  ".local/share/opencode/auth.json": { "z-ai": { type: "api", key: "it's a key" } },
});

function credentials(command: string, args: string[] = [], env: Record<string, string> = {}) {
  return cli(["credentials", command, ...args], { env: { ...noKeys, HOME: home, ...env } });
}

describe("credentials extract", () => {
  test("prints all credentials, redacted", async () => {
    const { code, stdout, stderr } = await credentials("extract");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(JSON.parse(stdout)).toEqual({
      anthropic: {
        provider: "anthropic",
        source: "claude-code",
        auth_type: "oauth",
        api_key: "logi...4321",
        redacted: true,
      },
      openai: { provider: "openai", source: "codex", auth_type: "api_key", api_key: "sk-o...7890", redacted: true },
      other: {
        "z-ai": { provider: "z-ai", source: "opencode", auth_type: "api_key", api_key: "it's... key", redacted: true },
      },
    });
  });

  test("prints full keys with --reveal, and no OAuth tokens with --no-oauth", async () => {
    const { stdout } = await credentials("extract", ["--reveal", "--no-oauth"]);
    expect(JSON.parse(stdout)).toMatchObject({
      anthropic: null,
      openai: { api_key: "sk-openai-1234567890", redacted: false },
    });
  });

  test("searches another home directory", async () => {
    const { stdout } = await credentials("extract", ["-d", temporaryDirectory()]);
    expect(JSON.parse(stdout)).toEqual({ anthropic: null, openai: null, other: {} });
  });

  test.each([
    [["-a", "claude"], "login-token-0987654321\n"],
    [["-a", "amp"], "login-token-0987654321\n"],
    [["-a", "codex"], "sk-openai-1234567890\n"],
    [["-a", "opencode", "-p", "z-ai"], "it's a key\n"],
    [["-p", "openai"], "sk-openai-1234567890\n"],
  ])("%j prints only the token", async (args, stdout) => {
    expect(await credentials("extract", args)).toMatchObject({ code: 0, stdout, stderr: "" });
  });

  test.each<[string[], number, RegExp]>([
    [["-a", "opencode"], 1, /several credentials \(anthropic, openai, z-ai\); choose one with --provider/],
    [["-p", "groq"], 1, /no credential found for groq/],
    [["-a", "claude", "--no-oauth"], 1, /no credential found for anthropic/],
    [["-a", "codex", "-p", "anthropic"], 2, /codex uses only credentials of openai/],
    [["-a", "nobody"], 2, /Allowed choices are claude, codex, opencode, amp/],
  ])("%j fails", async (args, code, reason) => {
    const ended = await credentials("extract", args);
    expect(ended).toMatchObject({ code, stdout: "" });
    expect(ended.stderr).toMatch(reason);
  });

  test("uses the only credential for opencode", async () => {
    const only = homeWith({ ".codex/auth.json": { OPENAI_API_KEY: "sk-only" } });
    expect(await credentials("extract", ["-a", "opencode", "-d", only])).toMatchObject({ stdout: "sk-only\n" });
  });
});

describe("credentials extract-env", () => {
  test("prints variables", async () => {
    expect(await credentials("extract-env", ["--no-oauth"], { ANTHROPIC_API_KEY: "sk-ant-1" })).toMatchObject({
      code: 0,
      stdout: [
        "ANTHROPIC_API_KEY=sk-ant-1",
        "CLAUDE_API_KEY=sk-ant-1",
        "OPENAI_API_KEY=sk-openai-1234567890",
        "CODEX_API_KEY=sk-openai-1234567890",
        "Z_AI_API_KEY='it'\\''s a key'\n",
      ].join("\n"),
    });
  });

  test("quotes keys for a shell", async () => {
    const { stdout } = await credentials("extract-env", ["--export"]);
    const shell = startProcess(["sh", "-c", `${stdout}\nprintenv Z_AI_API_KEY`]);
    expect(await shell.ended).toMatchObject({ code: 0, stdout: "it's a key\n" });
  });

  test("prints nothing when nothing is found", async () => {
    expect(await credentials("extract-env", ["-d", temporaryDirectory()])).toMatchObject({ code: 0, stdout: "" });
  });
});
