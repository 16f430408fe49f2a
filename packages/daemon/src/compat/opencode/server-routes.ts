/** Routes about the server itself: its paths, configuration, providers and event streams. */
import { homedir } from "node:os";
import { join } from "node:path";
import { version } from "../../version.ts";
import type { OpenCodeContext } from "./context.ts";
import { branchOf } from "./git-status.ts";
import type { OpenCodeCall, OpenCodeRoutes } from "./router.ts";
import { projectId } from "./session-view.ts";
import { openCodeFrames } from "./stream.ts";
import type { Path, Project } from "./wire.ts";

export function serverRoutes(context: OpenCodeContext): OpenCodeRoutes {
  const { catalog, root, onUnusableRepository } = context;

  function stream({ signal, connection }: OpenCodeCall, directory: string | null): Response {
    const start = { position: 0, sequence: 0 };
    return context.streams.open({ signal, connection }, openCodeFrames(context, directory), start);
  }

  const none = () => [];
  const nothing = () => ({});
  return {
    "GET /global/health": () => ({ healthy: true, version }),
    "GET /global/event": (call) => stream(call, null),
    "GET /event": (call) => stream(call, call.directory),
    "GET /global/config": config,
    "GET /config": config,
    async "GET /config/providers"() {
      const { all, default: defaults, connected } = await catalog.providers();
      return { providers: all.filter(({ id }) => connected.includes(id)), default: defaults };
    },
    "GET /provider": () => catalog.providers(),
    "GET /provider/auth": nothing,
    "GET /agent": () => catalog.modes(),
    "GET /path": ({ directory }) => pathsOf(directory),
    "GET /project": ({ directory }) => [projectAt(directory)],
    "GET /project/current": ({ directory }) => projectAt(directory),
    "GET /project/:projectID/directories": ({ directory }) => [{ directory }],
    "GET /vcs": ({ directory }) => branchOf(root, directory, onUnusableRepository),
    "GET /command": none,
    "GET /skill": none,
    "GET /lsp": none,
    "GET /formatter": none,
    "GET /mcp": nothing,
    "GET /experimental/capabilities": () => ({ backgroundSubagents: false }),
    "GET /experimental/console": () => ({ consoleManagedProviders: [], switchableOrgCount: 0 }),
    "GET /experimental/resource": nothing,
    "GET /experimental/workspace": none,
    "GET /experimental/workspace/status": none,
    "POST /log": () => true,
  };

  async function config() {
    const { providerID, modelID } = await catalog.defaultChoice();
    return { share: "disabled", autoupdate: false, model: `${providerID}/${modelID}` };
  }
}

function pathsOf(directory: string): Path {
  const home = homedir();
  return {
    home,
    state: join(home, ".local", "state", "opencode"),
    config: join(home, ".config", "opencode"),
    worktree: directory,
    directory,
  };
}

function projectAt(directory: string): Project {
  const time = { created: startedAt, updated: startedAt };
  return { id: projectId, worktree: directory, time, sandboxes: [] };
}

const startedAt = Date.now();
