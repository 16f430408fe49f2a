import { describe, expect, test } from "vitest";
import { permissionKeys } from "./permission.ts";

describe("a permission is stored under", () => {
  test("its action", () => {
    expect(permissionKeys({ action: "command_execution" })).toEqual(["command_execution"]);
  });

  test.each([
    ["git push", "git"],
    ["Bash(npm test)", "Bash"],
    ["edit:src/a.ts", "edit"],
  ])("the leading word of %s", (action, word) => {
    expect(permissionKeys({ action })).toEqual([action, word]);
  });

  test.each(["tool", "tool_name", "toolName", "permission", "permission_name", "permissionName"])(
    "the name in metadata.%s",
    (field) => {
      expect(permissionKeys({ action: "a", metadata: { [field]: "Bash" } })).toEqual(["a", "Bash"]);
    },
  );

  test("nothing else of the metadata", () => {
    expect(permissionKeys({ action: "a", metadata: { command: "rm -rf /", tool: 1, permission: null } })).toEqual([
      "a",
    ]);
  });

  test("each key once", () => {
    expect(permissionKeys({ action: "Bash", metadata: { tool: "Bash", tool_name: "Bash" } })).toEqual(["Bash"]);
  });

  test("its action without the blanks around it", () => {
    expect(permissionKeys({ action: "  edit  " })).toEqual(["edit"]);
  });

  test("no key when it names nothing", () => {
    expect(permissionKeys({ action: " ", metadata: { tool: "" } })).toEqual([]);
  });
});
