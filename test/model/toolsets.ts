/**
 * How each agent wants its tools called: one function per kind of work, each a list of ways to try in order. Adding an
 * agent means adding a way where its tool or its input differs.
 */
import type { Exchange } from "./exchange.ts";
import type { ToolInput } from "./script.ts";
import type { ToolRequest, Way } from "./tools.ts";

/** The way to call one tool with one input, if it is on offer. */
function call(name: string, input: ToolInput): Way {
  return (offer) => (offer.has(name) ? [[{ name, input }]] : null);
}

/** Pi and OpenCode share names of tools, but not the names of their inputs. */
function callPi(name: string, input: ToolInput): Way {
  return (offer) => (offer.has(name) && !offer.has("glob") ? [[{ name, input }]] : null);
}

/** Copilot and OpenCode share names of tools, too. */
function callCopilot(name: string, input: ToolInput): Way {
  return (offer) => (offer.has(name) && offer.has("read_bash") ? [[{ name, input }]] : null);
}

export function shell(command: string): Way[] {
  return [
    call("Bash", { command, description: "Run a command" }),
    call("exec_command", { cmd: command }),
    callCopilot("bash", { command, description: "Run a command" }),
    call("bash", { command }),
    call("run_shell_command", { command, description: "Run a command", is_background: false }),
  ];
}

export function write(path: string, content: string): Way[] {
  const lines = content.replace(/\n$/, "").split("\n");
  const patch = `*** Begin Patch\n*** Add File: ${path}\n${lines.map((line) => `+${line}`).join("\n")}\n*** End Patch\n`;
  return [
    call("Write", { file_path: path, content }),
    callPi("write", { path, content }),
    call("write", { filePath: path, content }),
    call("write_file", { file_path: path, content }),
    call("create", { path, file_text: content }),
    call("apply_patch", patch),
    throughShell(patch),
  ];
}

/** Agents insist on reading a file before editing it, so the reading is a phase of its own. */
export function edit(path: string, before: string, after: string): Way[] {
  const marked = (sign: string, text: string) => text.split("\n").map((line) => `${sign}${line}`);
  const hunk = [...marked("-", before), ...marked("+", after)].join("\n");
  const patch = `*** Begin Patch\n*** Update File: ${path}\n@@\n${hunk}\n*** End Patch\n`;
  return [
    sequence(
      { name: "Read", input: { file_path: path } },
      { name: "Edit", input: { file_path: path, old_string: before, new_string: after } },
    ),
    callPi("edit", { path, edits: [{ oldText: before, newText: after }] }),
    sequence(
      { name: "read", input: { filePath: path } },
      { name: "edit", input: { filePath: path, oldString: before, newString: after } },
    ),
    call("apply_patch", patch),
    throughShell(patch),
  ];
}

function sequence(...requests: { name: string; input: ToolInput }[]): Way {
  return (offer) =>
    requests.every((request) => offer.has(request.name)) ? requests.map((request) => [request]) : null;
}

/** Codex turns this heredoc into the same file change as the tool. */
function throughShell(patch: string): Way {
  return call("exec_command", { cmd: `apply_patch <<'PATCH'\n${patch}PATCH` });
}

export function ask(question: string, options: string[], multiple: boolean): Way[] {
  const choices = options.map((label) => ({ label, description: `Choose ${label}` }));
  const header = "Choice";
  return [
    call("AskUserQuestion", { questions: [{ question, header, multiSelect: multiple, options: choices }] }),
    call("request_user_input", { questions: [{ id: "choice", header, question, options: choices }] }),
    call("question", { questions: [{ question, header, multiple, options: choices }] }),
    call("ask_user_question", { questions: [{ question, header, multiSelect: multiple, options: choices }] }),
  ];
}

/** The plan is a file whose path stands in the agent's instructions; the tool hands over what the file holds. */
export function plan(text: string): Way[] {
  return [
    (offer) => {
      const path = planFile(offer.exchange);
      if (!path || !offer.has("ExitPlanMode") || !offer.has("Write")) return null;
      return [[{ name: "Write", input: { file_path: path, content: text } }], [{ name: "ExitPlanMode", input: {} }]];
    },
    (offer) => {
      const folder = planFolder(offer.exchange);
      if (!folder || !offer.has("exit_plan_mode") || !offer.has("write_file")) return null;
      const written = { name: "write_file", input: { file_path: `${folder}/plan.md`, content: text } };
      return [[written], [{ name: "exit_plan_mode", input: { plan_filename: "plan.md" } }]];
    },
    call("ExitPlanMode", { plan: text }),
    call("exit_plan_mode", { plan: text }),
    call("plan_exit", {}),
    (offer) => (offer.has("exec_command") ? [[{ text: `<proposed_plan>\n${text}\n</proposed_plan>` }]] : null),
    () => [[{ text: text }]],
  ];
}

/** Gemini is told a folder for its plans. */
function planFolder({ instructions }: Exchange): string | null {
  return /([^\s`]+\/plans)\/?[`\s]/.exec(instructions)?.[1] ?? null;
}

function planFile(exchange: Exchange): string | null {
  const texts = exchange.entries.flatMap((entry) => ("text" in entry ? [entry.text] : []));
  const path = /\/\S+\/plans\/[\w.-]+\.md/;
  return path.exec([...texts, exchange.instructions].join("\n"))?.[0] ?? null;
}

export function todo(items: string[]): Way[] {
  const state = (index: number) => (index === 0 ? "in_progress" : "pending");
  return [
    call("TodoWrite", {
      todos: items.map((content, index) => ({ content, status: state(index), activeForm: content })),
    }),
    (offer) =>
      offer.has("TaskCreate")
        ? [items.map((subject) => ({ name: "TaskCreate", input: { subject, description: subject } }))]
        : null,
    call("update_plan", { plan: items.map((step, index) => ({ step, status: state(index) })) }),
    call("todowrite", {
      todos: items.map((content, index) => ({ content, status: state(index), priority: "medium" })),
    }),
    call("todo_write", {
      todos: items.map((content, index) => ({ id: String(index), content, status: state(index) })),
    }),
    call("write_todos", {
      todos: items.map((entry, index) => ({ description: entry, status: state(index) })),
    }),
  ];
}

export function task(prompt: string): Way[] {
  const description = "Scripted subtask";
  return [
    call("Agent", { description, prompt, subagent_type: "general-purpose" }),
    call("Task", { description, prompt, subagent_type: "general-purpose" }),
    callCopilot("task", { name: "scripted", description, prompt, agent_type: "general-purpose", mode: "sync" }),
    call("task", { description, prompt, subagent_type: "general" }),
    call("agent", { description, prompt, subagent_type: "general-purpose" }),
    call("invoke_agent", { agent_name: "generalist", prompt }),
    sequence(
      { name: "collaboration.spawn_agent", input: { task_name: childName(), message: prompt, fork_turns: "none" } },
      { name: "collaboration.wait_agent", input: { timeout_ms: 30_000 } },
    ),
    (offer) => (offer.has("exec_command") ? firstAgents(prompt, offer.exchange) : null),
  ];
}

/** Two children of one parent may not share a name. */
function childName(): string {
  return `child_${crypto.randomUUID().slice(0, 8)}`;
}

/** The older agent tools of Codex, which some models have to search for. The child's id is known once it has started. */
function firstAgents(prompt: string, exchange: Exchange): ToolRequest[][] {
  const search = "spawn agent wait sub-agents";
  const results = exchange.entries.flatMap((entry) => (entry.kind === "result" ? [entry.text] : []));
  const ids = results.flatMap((result) => /^\{"agent_id":"([^"]+)"/.exec(result)?.[1] ?? []);
  return [
    [{ name: "multi_agent_v1.spawn_agent", input: { message: prompt }, search }],
    [{ name: "multi_agent_v1.wait_agent", input: { targets: ids.slice(-1), timeout_ms: 60_000 }, search }],
  ];
}

/** Every agent has its own way of joining the names of server and tool. */
export function mcp(server: string, tool: string, input: ToolInput): Way[] {
  return [
    call(`mcp__${server}__${tool}`, input),
    call(`mcp__${server}.${tool}`, input),
    call(`${server}_${tool}`, input),
    call(`mcp_${server}_${tool}`, input),
    call(`${server}-${tool}`, input),
    (offer) =>
      offer.has("exec_command") ? [[{ name: `mcp__${server}.${tool}`, input, search: `${server} ${tool}` }]] : null,
  ];
}
