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

/** The phrases of the stand-in for Amp. */
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

const noQuestions = "asks no questions";
const noPlans = "has no plans to approve; in plan mode the daemon rejects every call that changes something";

const noModel = "has no model";

const builtin: Subject[] = [
  {
    id: "mock",
    phrases: mock,
    otherModel: null,
    planMode: {},
    session: {},
    lacks: {
      "command execution": "runs no commands",
      "question, several choices": "its questions take one answer each",
      "plan approved": "makes no plans",
      "plan rejected": "makes no plans",
      "abort in a tool": "its tools end at once",
      image: "ignores images",
      "MCP tool": "ignores MCP servers",
      skill: "ignores skills",
      "model switch": "has one model only",
      "wrong key": noModel,
      "provider error 500": noModel,
      "provider error 529": noModel,
      "dropped connection": noModel,
      "agent killed": "runs inside the daemon, not as a process",
      "context after kill -9 of the daemon": "keeps no context between turns",
      "context over two turns": "keeps no context between turns",
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
    lacks: { "question, several choices": "its questions take one answer each" },
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
    // Retries are bounded but take long; a test need not see all of them.
    home: () => ({ ".pi/agent/settings.json": '{ "retry": { "maxRetries": 1, "baseDelayMs": 200 } }' }),
    lacks: {
      "todo list": "has no todo list",
      subagent: "has no subagents",
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
      streaming: "sends a message only when it is complete",
      "abort while streaming": "sends a message only when it is complete",
      "todo list": "does not report its todo list",
      subagent: "does not report what its subagents do",
      "MCP tool": "not tested: Amp's service calls MCP tools, the stand-in does not",
      skill: "not tested: Amp's service receives skills, the stand-in does not",
      "question answered": noQuestions,
      "question rejected": noQuestions,
      "question, several choices": noQuestions,
      "plan approved": noPlans,
      "plan rejected": noPlans,
      steer: "not tested: how Amp's service handles a message during a turn is unknown",
      "model switch": "a thread keeps the mode it was created with",
      "dropped connection": "not tested: Amp's service, not the program, connects to the model",
    },
  },
];

export const subjects: Subject[] = [...builtin, ...acpSubjects];
