import { expect, test } from "vitest";
import { createTodos } from "./todos.ts";

const created = (id: string, subject: string) => ({ task: { id, subject } });

test("a list that is kept in steps is given as a whole after each", () => {
  const todos = createTodos();
  todos.after("TaskCreate", {}, created("1", "one"));
  expect(todos.after("TaskCreate", {}, created("2", "two"))).toEqual({
    todos: [
      { content: "one", status: "pending" },
      { content: "two", status: "pending" },
    ],
    summary: "0 of 2 done",
  });
  expect(todos.after("TaskUpdate", { taskId: "1", status: "completed" }, {})).toMatchObject({
    todos: [{ content: "one", status: "completed" }, { content: "two" }],
    summary: "1 of 2 done",
  });
  expect(todos.after("TaskUpdate", { taskId: "2", subject: "second" }, {})?.todos[1]).toEqual({
    content: "second",
    status: "pending",
  });
  expect(todos.after("TaskUpdate", { taskId: "1", status: "deleted" }, {})?.todos).toEqual([
    { content: "second", status: "pending" },
  ]);
});

test("a task that was not seen before is named by its id", () => {
  expect(createTodos().after("TaskUpdate", { taskId: "9", status: "in_progress" }, {})?.todos).toEqual([
    { content: "Task 9", status: "in_progress" },
  ]);
});

test("a listing replaces what was known", () => {
  const todos = createTodos();
  todos.after("TaskCreate", {}, created("1", "one"));
  const listed = { tasks: [{ id: "5", subject: "five", status: "completed" }] };
  expect(todos.after("TaskList", {}, listed)).toEqual({
    todos: [{ content: "five", status: "completed" }],
    summary: "1 of 1 done",
  });
});

test("a list that comes as a whole is given as it is", () => {
  const input = {
    todos: [
      { content: "one", status: "completed", activeForm: "doing" },
      { content: "two", status: "pending" },
    ],
  };
  expect(createTodos().after("TodoWrite", input, {})).toEqual({
    todos: [
      { content: "one", status: "completed" },
      { content: "two", status: "pending" },
    ],
    summary: "1 of 2 done",
  });
});

test.each(["TodoWrite", "TaskCreate", "TaskUpdate", "TaskList", "Bash"])(
  "%s without what it needs gives none",
  (tool) => {
    expect(createTodos().after(tool, {}, {})).toBeNull();
  },
);
