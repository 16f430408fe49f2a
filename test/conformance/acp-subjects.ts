/** Agents that are used over ACP: OpenCode by a definition, the others from the registry. */
import { type Subject, scripted, scriptedCodex } from "./subject.ts";

const noTasks = "offers its model no todo list";
const noQuestions = "offers its model no way to ask questions over ACP";
const noApproval = "does not ask for plan approval over ACP";
const brokenHistory = "after the abort it sends the tool call without a result, and the provider rejects the request";
const silentSubagents = "does not report what its subagents do";
const cannotSteer = "accepts no message during a turn";

export const acpSubjects: Subject[] = [
  {
    id: "opencode-acp",
    onRequest: true,
    phrases: scripted,
    program: "opencode",
    definition: {
      command: "opencode",
      args: ["acp"],
      keys: { anthropic: "ANTHROPIC_API_KEY" },
    },
    env: (modelUrl) => ({
      OPENCODE_CONFIG_CONTENT: JSON.stringify({
        model: "anthropic/claude-sonnet-4-5",
        permission: { bash: "ask", edit: "ask" },
        provider: { anthropic: { options: { apiKey: "{env:ANTHROPIC_API_KEY}", baseURL: `${modelUrl}/v1` } } },
      }),
      OPENCODE_DISABLE_AUTOUPDATE: "1",
      OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
      OPENCODE_DISABLE_MODELS_FETCH: "1",
    }),
    otherModel: null,
    planMode: { permissionMode: "plan" },
    session: {},
    lacks: {
      subagent: silentSubagents,
      "question answered": noQuestions,
      "question rejected": noQuestions,
      "question, several choices": noQuestions,
      "plan approved": noApproval,
      "plan rejected": noApproval,
      steer: cannotSteer,
    },
  },
  {
    id: "claude-acp",
    phrases: scripted,
    // All tools are offered from the start, so the scripted model need not search for them.
    env: () => ({ ENABLE_TOOL_SEARCH: "false" }),
    otherModel: "haiku",
    planMode: { permissionMode: "plan" },
    session: {},
    lacks: { "todo list": noTasks },
  },
  {
    id: "codex-acp",
    phrases: scriptedCodex,
    home: (modelUrl) => ({
      ".codex/config.toml": [
        'model = "gpt-5.5"',
        'model_provider = "scripted"',
        "[model_providers.scripted]",
        'name = "Scripted"',
        `base_url = "${modelUrl}/v1"`,
        'env_key = "OPENAI_API_KEY"',
        'wire_api = "responses"',
        "request_max_retries = 1",
        "stream_max_retries = 1",
        "[features]",
        "default_mode_request_user_input = true",
        "[tools.update_plan]",
        "enabled = true",
        "",
      ].join("\n"),
    }),
    otherModel: "gpt-5.6-sol",
    planMode: { permissionMode: "plan" },
    session: { agentMode: "read-only" },
    lacks: {
      subagent: silentSubagents,
      "question, several choices": "its questions take one answer each",
    },
  },
  {
    id: "qwen-code",
    onRequest: true,
    phrases: scripted,
    home: (modelUrl) => ({ ".qwen/settings.json": JSON.stringify(qwenSettings(`${modelUrl}/v1`)) }),
    otherModel: "scripted-two(openai)",
    planMode: { permissionMode: "plan" },
    session: { agentMode: "default" },
    lacks: {
      "todo list": noTasks,
      subagent: silentSubagents,
      steer: cannotSteer,
    },
  },
  {
    id: "github-copilot-cli",
    onRequest: true,
    phrases: scripted,
    env: (modelUrl) => ({
      COPILOT_OFFLINE: "true",
      COPILOT_PROVIDER_BASE_URL: `${modelUrl}/v1`,
      COPILOT_PROVIDER_API_KEY: "test-key",
      COPILOT_MODEL: "scripted",
    }),
    otherModel: null,
    planMode: { permissionMode: "plan" },
    session: {},
    lacks: {
      "todo list": "keeps its todo list in its own database",
      subagent: "reports the messages of its subagents as its own",
      "MCP tool": "without an account it offers its model no MCP tools",
      "question answered": noQuestions,
      "question rejected": noQuestions,
      "question, several choices": noQuestions,
      "plan approved": noApproval,
      "plan rejected": noApproval,
      steer: cannotSteer,
      "model switch": "without an account it has only the model of the endpoint",
    },
  },
  {
    id: "gemini",
    onRequest: true,
    phrases: scripted,
    env: (modelUrl) => ({
      GEMINI_API_KEY: "test-key",
      GOOGLE_GEMINI_BASE_URL: modelUrl,
      GEMINI_CLI_TRUST_WORKSPACE: "true",
    }),
    otherModel: "gemini-3-flash-preview",
    planMode: { permissionMode: "plan" },
    session: { model: "gemini-2.5-pro" },
    // Retries take long; a test need not see all of them.
    home: () => ({ ".gemini/settings.json": '{ "general": { "maxAttempts": 2 } }' }),
    lacks: {
      "command execution": "does not report the output of commands",
      "todo list": noTasks,
      subagent: "its policy forbids subagents over ACP",
      "question answered": noQuestions,
      "question rejected": noQuestions,
      "question, several choices": noQuestions,
      "abort in a tool": brokenHistory,
      "abort while waiting for a permission": brokenHistory,
      "dropped connection": "does not retry after a lost connection",
      steer: cannotSteer,
    },
  },
];

/** All tools are offered from the start, so the scripted model need not search for them. */
function qwenSettings(baseUrl: string) {
  const models = ["scripted", "scripted-two"].map((id) => ({ id, name: id, baseUrl, envKey: "OPENAI_API_KEY" }));
  return {
    tools: { toolSearch: { enabled: false } },
    security: { auth: { selectedType: "openai" } },
    modelProviders: { openai: models },
    // Retries take long; a test need not see all of them.
    model: { name: "scripted", generationConfig: { maxRetries: 1 } },
  };
}
