/** The `iss` claim of tokens that a daemon has signed itself. */
export const issuer = "sandbox-agent";
