/** All agents under test. */
import { installStandIn } from "../agents/amp-stand-in/install.ts";
import { acpSubjects } from "./acp-subjects.ts";
import { type Phrases, type Subject, scripted, scriptedCodex } from "./subject.ts";

const mock: Phrases = {
  ...scripted,
  say: (text) => `echo ${text}`,
  think: () => "reason",
  slow: (count, milliseconds) => `slow ${count} ${milliseconds}`,
  command: () => "permission1",
  write: () => "tool",
  ask: () => "question1",
  todo: () => "todo",
  subagent: () => "subagent",
  hang: "hang",
};

/** How the stand-in for Amp is asked. */
const ampPhrases: Phrases = {
  ...scripted,
  say: (text) => `SAY[${text}]`,
  think: () => "THINK SAY[thought]",
  slow: (count, milliseconds) => `WAIT[${count * milliseconds}] SAY[done]`,
  run: (command) => `RUN[${command}] SAY[done]`,
  command: (command) => `RUN[${command}] SAY[done]`,
  write: (path, content) =>
    `CALL[apply_patch ${JSON.stringify({ patchText: `*** Begin Patch\n*** Add File: ${path}\n+${content}\n*** End Patch` })}] SAY[written]`,
  countImages: "IMAGES",
  recall: "RECALL",
  fail: (status) => `ERR${status}`,
};

const noQuestions = "it asks no questions";
const noPlans = "it has no plans to approve; its plan mode is made by refusing what changes anything";

const noModel = "the mock has no model behind it";

const builtin: Subject[] = [
  {
    id: "mock",
    phrases: mock,
    otherModel: null,
    planMode: {},
    session: {},
    lacks: {
      "command execution": "it runs nothing",
      "question, several choices": "its questions have one answer",
      "plan approved": "it makes no plans",
      "plan rejected": "it makes no plans",
      "abort in a tool": "its tools take no time",
      image: "it looks at nothing",
      "MCP tool": "it ignores MCP servers",
      skill: "it ignores skills",
      "model switch": "it has one model",
      "wrong key": noModel,
      "provider error 500": noModel,
      "provider error 529": noModel,
      "dropped connection": noModel,
      "agent killed": "it is no process",
      "context after kill -9 of the daemon": "it remembers nothing",
      "context over two turns": "it remembers nothing",
    },
  },
  {
    id: "claude",
    phrases: scripted,
    otherModel: "haiku",
    planMode: { permissionMode: "plan" },
    session: {},
    lacks: {},
  },
  {
    id: "codex",
    phrases: scriptedCodex,
    otherModel: "gpt-5.6-sol",
    planMode: { agentMode: "plan", permissionMode: "plan" },
    session: { model: "gpt-5.5" },
    lacks: { "question, several choices": "its questions have one answer each" },
  },
  {
    id: "opencode",
    phrases: scripted,
    otherModel: null,
    planMode: { agentMode: "plan", permissionMode: "plan" },
    session: {},
    lacks: {},
  },
  {
    id: "pi",
    phrases: scripted,
    otherModel: null,
    planMode: { permissionMode: "plan" },
    session: { model: "anthropic/claude-sonnet-4-5", variant: "low" },
    // Retries are bounded but patient; a test need not see all of them.
    home: () => ({ ".pi/agent/settings.json": '{ "retry": { "maxRetries": 1, "baseDelayMs": 200 } }' }),
    lacks: {
      "todo list": "it keeps none",
      subagent: "it has none",
    },
  },
  {
    id: "amp",
    phrases: ampPhrases,
    standIn: (directory) => installStandIn(directory),
    otherModel: null,
    planMode: { permissionMode: "plan" },
    session: {},
    lacks: {
      streaming: "it tells messages whole",
      "abort while streaming": "it tells messages whole",
      "todo list": "it keeps none that it would tell",
      subagent: "it does not tell what its subagents do",
      "MCP tool": "its service calls them; its stand-in does not",
      skill: "its service is told of them; its stand-in is not",
      "question answered": noQuestions,
      "question rejected": noQuestions,
      "question, several choices": noQuestions,
      "plan approved": noPlans,
      "plan rejected": noPlans,
      steer: "what its service does with a message in the middle of a turn is not known",
      "model switch": "a thread keeps the mode it was begun in",
      "dropped connection": "its service talks to the model",
    },
  },
];

export const subjects: Subject[] = [...builtin, ...acpSubjects];
