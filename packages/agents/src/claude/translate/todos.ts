/**
 * The todo list. Claude Code changes it step by step (TaskCreate, TaskUpdate); clients get the whole list after each step.
 * With CLAUDE_CODE_ENABLE_TASKS=0 there is one tool, TodoWrite, which always has the whole list.
 */
import * as z from "zod";
import { TodoWriteInput } from "../generated/protocol.ts";

export interface Todo {
  content: string;
  status: string;
}

export interface TodoList {
  todos: Todo[];
  summary: string;
}

const Created = z.object({ task: z.object({ id: z.string(), subject: z.string() }) });
const UpdateInput = z.object({ taskId: z.string(), status: z.string().optional(), subject: z.string().optional() });
const Listed = z.object({
  tasks: z.array(z.object({ id: z.string(), subject: z.string(), status: z.string() })),
});

export function createTodos() {
  const tasks = new Map<string, Todo>();

  function list(todos: Todo[]): TodoList {
    const done = todos.filter(({ status }) => status === "completed").length;
    return { todos, summary: `${done} of ${todos.length} done` };
  }

  return {
    /** The list after a tool call; null if the tool does not change it. */
    after(tool: string, input: unknown, output: unknown): TodoList | null {
      switch (tool) {
        case "TodoWrite": {
          const { data } = TodoWriteInput.safeParse(input);
          const todos = data?.todos?.map(({ content, status }) => ({ content: content ?? "", status: status ?? "" }));
          return todos ? list(todos) : null;
        }
        case "TaskCreate": {
          const { data } = Created.safeParse(output);
          if (!data) return null;
          tasks.set(data.task.id, { content: data.task.subject, status: "pending" });
          return list([...tasks.values()]);
        }
        case "TaskUpdate": {
          const { data } = UpdateInput.safeParse(input);
          if (!data) return null;
          const before = tasks.get(data.taskId) ?? { content: `Task ${data.taskId}`, status: "pending" };
          if (data.status === "deleted") tasks.delete(data.taskId);
          else
            tasks.set(data.taskId, { content: data.subject ?? before.content, status: data.status ?? before.status });
          return list([...tasks.values()]);
        }
        case "TaskList": {
          const { data } = Listed.safeParse(output);
          if (!data) return null;
          tasks.clear();
          for (const { id, subject, status } of data.tasks) tasks.set(id, { content: subject, status });
          return list([...tasks.values()]);
        }
        default:
          return null;
      }
    },
  };
}
