/** The environment variables for finding and installing agents. */
export type Environment = Readonly<Record<string, string | undefined>>;

export const installSources = ["npm", "vendor", "path"] as const;
export type InstallSource = (typeof installSources)[number];

/** The variable with the path of the program to use, regardless of what is installed. */
export function pathVariable(agent: string): string {
  return `SANDBOX_AGENT_${variablePart(agent)}_PATH`;
}

/** The variable with another URL for the vendor's downloads. */
export function releasesVariable(agent: string): string {
  return `SANDBOX_AGENT_${variablePart(agent)}_RELEASES_URL`;
}

export const sourceVariable = "SANDBOX_AGENT_INSTALL_SOURCE";

/** The sources to install from, in order. With "path" nothing is installed. Null = an invalid value. */
export function sourcesIn(env: Environment): readonly InstallSource[] | null {
  const chosen = env[sourceVariable];
  if (!chosen) return ["npm", "vendor"];
  const source = installSources.find((name) => name === chosen);
  return source ? [source] : null;
}

/** Whether sessions must not install agents. */
export function requiresPreinstall(env: Environment): boolean {
  return isOn(env.SANDBOX_AGENT_REQUIRE_PREINSTALL);
}

export const unverifiedVariable = "SANDBOX_AGENT_ALLOW_UNVERIFIED_DOWNLOADS";

/** Whether downloads without a checksum or over plain http are allowed. */
export function allowsUnverified(env: Environment): boolean {
  return isOn(env[unverifiedVariable]);
}

function isOn(value: string | undefined): boolean {
  return /^(1|true|yes)$/i.test(value ?? "");
}

function variablePart(agent: string): string {
  return agent.toUpperCase().replace(/[^A-Z0-9]/g, "_");
}
