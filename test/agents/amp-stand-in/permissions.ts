/** Permission rules of the settings file, first match wins; a delegate program is really run, as Amp runs it. */
import { readFileSync } from "node:fs";
import * as z from "zod";

const Settings = z.object({
  "amp.dangerouslyAllowAll": z.boolean(),
  "amp.permissions": z.array(
    z.discriminatedUnion("action", [
      z.strictObject({ tool: z.string(), action: z.literal("allow") }),
      z.strictObject({ tool: z.string(), action: z.literal("delegate"), to: z.string() }),
    ]),
  ),
  "amp.updates.mode": z.literal("disabled"),
});

export interface Call {
  id: string;
  name: string;
  input: unknown;
}

export type Verdict = { allowed: true } | { allowed: false; words: string };

export function readPermissions(file: string, { tellsCallId, threadId }: { tellsCallId: boolean; threadId: string }) {
  const settings = Settings.parse(JSON.parse(readFileSync(file, "utf8")));

  return async function ask({ id, name, input }: Call): Promise<Verdict> {
    if (settings["amp.dangerouslyAllowAll"]) return { allowed: true };
    const rule = settings["amp.permissions"].find(({ tool }) => tool === "*" || tool === name);
    if (!rule) throw new Error(`no rule for ${name}: the call would be ungated`);
    if (rule.action === "allow") return { allowed: true };
    const env = { AGENT: "amp", AGENT_TOOL_NAME: name, AMP_THREAD_ID: threadId };
    const run = Bun.spawn([rule.to], {
      env: { ...process.env, ...env, ...(tellsCallId && { AGENT_TOOL_USE_ID: id }) },
      stdin: new Blob([JSON.stringify(input)]),
      stdout: "ignore",
      stderr: "pipe",
    });
    const words = await new Response(run.stderr).text();
    const code = await run.exited;
    if (code === 0) return { allowed: true };
    if (code === 2) return { allowed: false, words };
    throw new Error(`the gate left with ${code}, which Amp does not take for an answer: ${words}`);
  };
}
