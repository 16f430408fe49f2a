/** Models and agents of Claude Code, read from the program itself, which needs neither a model nor a network for it. */
import { tmpdir } from "node:os";
import type { AgentModels } from "@sandbox-agent/schema";
import { cachedLoad } from "../cached-load.ts";
import type { AgentEnvironment } from "../environment.ts";
import { within } from "../tasks/within.ts";
import { connect } from "./connection.ts";
import { credentialFor } from "./credential.ts";
import { SDKControlInitializeResponse } from "./generated/protocol.ts";
import { launchEnvironment, probeArguments } from "./launch.ts";

export interface Catalog {
  models: AgentModels;
  agents: NonNullable<SDKControlInitializeResponse["agents"]>;
}

const efforts = ["low", "medium", "high", "xhigh", "max"];

/** Used if the program does not answer. */
export const fallbackCatalog: Catalog = {
  models: {
    models: [
      { id: "default", name: "Default", variants: efforts },
      { id: "sonnet", name: "Sonnet", variants: efforts },
      { id: "opus", name: "Opus", variants: efforts },
      { id: "haiku", name: "Haiku" },
    ],
    defaultModel: "default",
  },
  agents: [],
};

const probeMs = 15_000;

export function createCatalog(environment: AgentEnvironment) {
  return cachedLoad(
    () => probe(environment),
    (error) => {
      environment.log("claude did not report its models; using the built-in list", { error: String(error) });
      return fallbackCatalog;
    },
  );
}

async function probe(environment: AgentEnvironment): Promise<Catalog> {
  const installed = await environment.installer.find("claude");
  if (!installed) throw new Error("claude is not installed");
  const nothing = { credentials: {}, env: {}, endpoints: {} };
  const credential = credentialFor(nothing, environment);
  const connection = connect({
    command: [...installed.command, ...probeArguments],
    cwd: tmpdir(),
    env: launchEnvironment(nothing, installed, credential, environment),
    credential,
    onMessages: async () => {},
    onExit: () => {},
  });
  try {
    const answer = await within(probeMs, connection.initialize(), () => {
      throw new Error(`no answer within ${probeMs} ms`);
    });
    return catalogFrom(SDKControlInitializeResponse.parse(answer));
  } finally {
    await connection.close({ busy: false });
  }
}

function catalogFrom({ models, agents }: SDKControlInitializeResponse): Catalog {
  const listed = (models ?? []).map(({ value, displayName, supportedEffortLevels }) => ({
    id: value,
    ...(displayName && { name: displayName }),
    ...(supportedEffortLevels?.length && { variants: supportedEffortLevels }),
  }));
  const [first] = listed;
  if (!first) return { ...fallbackCatalog, agents: agents ?? [] };
  const defaultModel = listed.some(({ id }) => id === "default") ? "default" : first.id;
  return { models: { models: listed, defaultModel }, agents: agents ?? [] };
}
