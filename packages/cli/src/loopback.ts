/** Whether a host is a loopback address. */
export function isLoopback(host: string): boolean {
  return ["localhost", "::1", "[::1]"].includes(host) || /^127(\.\d+){3}$/.test(host);
}
