/** Tasks beside the conversation (subagents, background commands, long-running commands), one status item each. */
import type { Draft } from "../../draft.ts";
import { completed, delta, type ItemShape, started, status } from "../../item-drafts.ts";
import {
  SDKTaskNotificationMessage,
  SDKTaskProgressMessage,
  SDKTaskStartedMessage,
  SDKTaskUpdatedMessage,
} from "../generated/protocol.ts";

interface Task {
  label: string;
  parent: string | null;
  hidden: boolean;
  isOver: boolean;
}

const over = new Set(["completed", "failed", "killed", "stopped"]);

export function createTasks() {
  const running = new Map<string, Task>();

  return {
    /** Whether a task is running that would be lost with the process. */
    get busy(): boolean {
      return [...running.values()].some(({ isOver }) => !isOver);
    },

    onStarted(raw: unknown): Draft[] {
      const message = SDKTaskStartedMessage.parse(raw);
      const label = message.subagent_type ?? (message.task_type === "local_bash" ? "Command" : "Task");
      const task = {
        label,
        parent: message.tool_use_id ?? null,
        hidden: message.skip_transcript === true,
        isOver: false,
      };
      running.set(message.task_id, task);
      return task.hidden ? [] : [started(shape(message.task_id, task, message.description ?? "running"), raw)];
    },

    onProgress(raw: unknown): Draft[] {
      const { task_id, summary, description } = SDKTaskProgressMessage.parse(raw);
      const text = summary ?? description;
      const task = running.get(task_id);
      return task && !task.hidden && text ? [delta(`task:${task_id}`, `${text}\n`, raw)] : [];
    },

    /** Only used for the status; the notification that follows has the result. */
    onUpdated(raw: unknown): Draft[] {
      const { task_id, patch } = SDKTaskUpdatedMessage.parse(raw);
      const task = running.get(task_id);
      if (task && over.has(patch?.status ?? "")) task.isOver = true;
      return [];
    },

    onNotification(raw: unknown): Draft[] {
      const { task_id, tool_use_id, status: outcome, summary } = SDKTaskNotificationMessage.parse(raw);
      const known = running.get(task_id);
      running.delete(task_id);
      if (known?.hidden) return [];
      const task = known ?? { label: "Task", parent: tool_use_id ?? null };
      return [completed(shape(task_id, task, summary ?? outcome ?? "ended"), raw, { failed: outcome === "failed" })];
    },

    /** The process has exited, and its tasks with it. */
    reset(): void {
      running.clear();
    },
  };
}

function shape(taskId: string, { label, parent }: Pick<Task, "label" | "parent">, detail: string): ItemShape {
  return status({ id: `task:${taskId}`, parent }, label, detail);
}
