/** Runs a program to its end and returns what it printed; throws with its last words if it fails. */
export async function runProgram(
  command: string[],
  { cwd, env }: { cwd: string; env: Record<string, string | undefined> },
): Promise<string> {
  const child = Bun.spawn(command, { cwd, env, stdout: "pipe", stderr: "pipe" });
  const [stdout, stderr, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  if (code !== 0) throw new Error(`${command.join(" ")} exited with code ${code}: ${stderr.trim()}`);
  return stdout.trim();
}
