/** The environment variables that steer the finding and installing of agents. */
export type Environment = Readonly<Record<string, string | undefined>>;

export const installSources = ["npm", "vendor", "path"] as const;
export type InstallSource = (typeof installSources)[number];

/** Names the program to use, whatever else is installed. */
export function pathVariable(agent: string): string {
  return `SANDBOX_AGENT_${variablePart(agent)}_PATH`;
}

/** Names another place for the vendor's downloads. */
export function releasesVariable(agent: string): string {
  return `SANDBOX_AGENT_${variablePart(agent)}_RELEASES_URL`;
}

export const sourceVariable = "SANDBOX_AGENT_INSTALL_SOURCE";

/** Where to install from, in order. "path" means nowhere: only what is there already is used. Null = a wrong value. */
export function sourcesIn(env: Environment): readonly InstallSource[] | null {
  const chosen = env[sourceVariable];
  if (!chosen) return ["npm", "vendor"];
  const source = installSources.find((name) => name === chosen);
  return source ? [source] : null;
}

/** Sessions may not install what they need; everything has to be there before. */
export function requiresPreinstall(env: Environment): boolean {
  return isOn(env.SANDBOX_AGENT_REQUIRE_PREINSTALL);
}

export const unverifiedVariable = "SANDBOX_AGENT_ALLOW_UNVERIFIED_DOWNLOADS";

/** What has no checksum, or comes over plain http, may be downloaded. */
export function allowsUnverified(env: Environment): boolean {
  return isOn(env[unverifiedVariable]);
}

function isOn(value: string | undefined): boolean {
  return /^(1|true|yes)$/i.test(value ?? "");
}

function variablePart(agent: string): string {
  return agent.toUpperCase().replace(/[^A-Z0-9]/g, "_");
}
