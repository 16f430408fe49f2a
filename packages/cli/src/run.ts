/** Runs one command line and says with which code the process ends: 0 done, 1 failed, 2 wrong usage. */
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
