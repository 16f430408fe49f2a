/** The default address of a daemon. */
export const defaultHost = "127.0.0.1";
export const defaultPort = 2468;
export const defaultEndpoint = `http://${defaultHost}:${defaultPort}`;
