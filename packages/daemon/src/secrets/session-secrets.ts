/** The secrets in the request that created a session, and in the MCP servers of its directory. */
import { isSecretVariable, secretsIn, secretsInAddress, type Variables } from "@sandbox-agent/agents/secret-variables";
import type { CreateSessionRequest, McpServerConfig } from "@sandbox-agent/schema";

type SessionInputs = Pick<CreateSessionRequest, "credentials" | "env" | "endpoints" | "mcp">;

/** `variables`: the environment of the daemon, which MCP servers may refer to. */
export function secretsOfSession({ credentials, env, endpoints, mcp }: SessionInputs, variables: Variables): string[] {
  return [
    ...Object.values(credentials ?? {}),
    ...secretsIn(env ?? {}),
    ...Object.values(endpoints ?? {}).flatMap(secretsInAddress),
    ...Object.values(mcp ?? {}).flatMap((server) => secretsOfServer(server, { ...variables, ...env })),
  ];
}

export function secretsOfServer(server: McpServerConfig, variables: Variables): string[] {
  if ("command" in server) return secretsIn({ ...server.environment, ...server.env });
  const { url, headers = {}, bearerTokenEnvVar, envHeaders, envHttpHeaders, oauth } = server;
  const named = [bearerTokenEnvVar ?? "", ...Object.values({ ...envHttpHeaders, ...envHeaders })];
  return [
    ...secretsInAddress(url),
    ...Object.entries(headers).flatMap(secretInHeader),
    ...named.flatMap((name) => variables[name] ?? []),
    ...clientSecretOf(oauth),
  ];
}

/** The scheme, as in `Bearer …`, is not part of the secret. */
function secretInHeader([name, value]: [string, string]): string[] {
  const isSecret = /auth|cookie/i.test(name) || isSecretVariable(name, value);
  return isSecret ? [value.replace(/^(?:bearer|basic|token)\s+/i, "")] : [];
}

function clientSecretOf(oauth: Extract<McpServerConfig, { url: string }>["oauth"]): string[] {
  if (!oauth || oauth.clientSecret === undefined) return [];
  return [oauth.clientSecret];
}
