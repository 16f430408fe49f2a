import { describe, expect, test } from "vitest";
import { formatTable } from "./table.ts";

describe("a table", () => {
  test("aligns its columns by the width they take on the screen", () => {
    const rows = [
      ["日本", "x"],
      ["a", "y"],
    ];
    expect(formatTable({ columns: ["ID", "B"], rows, empty: "" })).toBe("ID    B\n日本  x\na     y");
  });

  test("keeps control characters of its content from the terminal", () => {
    const rows = [["\u001b[31mred\nline"]];
    expect(formatTable({ columns: ["TITLE"], rows, empty: "" })).toBe("TITLE\n [31mred line");
  });

  test("says so when there is nothing", () => {
    expect(formatTable({ columns: ["ID"], rows: [], empty: "No sessions." })).toBe("No sessions.");
  });
});
