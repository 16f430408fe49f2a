/** Runs a command line and returns the exit code: 0 for success, 1 for failure, 2 for a usage error. */
import { createProgram } from "./program.ts";

export async function run(args: string[]): Promise<number> {
  const program = await createProgram(args[0]);
  try {
    await program.parseAsync(args.length === 0 ? ["--help"] : args, { from: "user" });
    // A command that runs another program ends with the exit code of that program.
    return Number(process.exitCode ?? 0);
  } catch (error) {
    const { report } = await import("./report.ts");
    return report(error);
  }
}
