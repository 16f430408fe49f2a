/** The Amp adapter behind a real daemon, with the stand-in as its program, or whatever a test puts in its place. */
import { join } from "node:path";
import { createAmpAgent } from "../../packages/agents/src/amp/agent.ts";
import { createInstaller } from "../../packages/agents/src/install/create-installer.ts";
import { descendants } from "../../packages/agents/src/process/tree.ts";
import { temporaryDirectory } from "../harness/daemon.ts";
import { commandOf } from "../harness/processes.ts";
import { installStandIn, type StandInOptions } from "./amp-stand-in/install.ts";
import { type LabOptions as AgentLabOptions, startAgentLab } from "./lab.ts";

export interface LabOptions extends StandInOptions, Omit<AgentLabOptions, "installer"> {
  /** The program, where it is not the stand-in. */
  program?: string;
}

export async function startLab({ env, program, idleMs, dataDir, home, ...standIn }: LabOptions = {}) {
  const ownHome = home ?? temporaryDirectory();
  const path = program ?? installStandIn(join(ownHome, "stand-in"), standIn);
  const variables = { AMP_API_KEY: "key-of-the-machine", SANDBOX_AGENT_AMP_PATH: path, ...env };
  const lab = await startAgentLab(
    { create: createAmpAgent },
    {
      env: variables,
      installer: createInstaller({ directory: join(ownHome, "agents"), env: { PATH: process.env.PATH, ...variables } }),
      home: ownHome,
      ...(idleMs !== undefined && { idleMs }),
      ...(dataDir !== undefined && { dataDir }),
    },
  );
  return {
    ...lab,
    /** The stand-in's program, to be used again with the same threads. */
    program: path,
    /** Processes of the agent: they are told where this daemon keeps their settings. */
    processes: (): number[] => descendants(process.pid).filter((pid) => commandOf(pid).includes(lab.dataDir)),
  };
}
