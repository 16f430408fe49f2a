import { describe, expect, test } from "vitest";
import { formatTable } from "./table.ts";

describe("a table", () => {
  test("aligns columns by display width", () => {
    const rows = [
      ["日本", "x"],
      ["a", "y"],
    ];
    expect(formatTable({ columns: ["ID", "B"], rows, empty: "" })).toBe("ID    B\n日本  x\na     y");
  });

  test("removes control characters", () => {
    const rows = [["\u001b[31mred\nline"]];
    expect(formatTable({ columns: ["TITLE"], rows, empty: "" })).toBe("TITLE\n [31mred line");
  });

  test("prints a message if it is empty", () => {
    expect(formatTable({ columns: ["ID"], rows: [], empty: "No sessions." })).toBe("No sessions.");
  });
});
