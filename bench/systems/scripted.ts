/** How the scripted agent is started, by whichever daemon. */
import { join } from "node:path";

export const scriptedAgent = [process.execPath, join(import.meta.dirname, "../scripted-agent.ts")] as const;
