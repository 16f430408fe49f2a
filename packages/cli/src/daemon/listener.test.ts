import { describe, expect, test } from "vitest";
import { findListener, listeningSockets } from "./listener.ts";

describe("finding the process that listens on a port", () => {
  test("reads the sockets that listen, not those that are connected", () => {
    const table = [
      "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode",
      "   0: 0100007F:09A4 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 4711 1 0 100 0 0 10 0",
      "   1: 0100007F:09A4 0100007F:C001 01 00000000:00000000 00:00000000 00000000     0        0 4712 1 0 20 4 30 10 -1",
      "   2: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 4713 1 0 100 0 0 10 0",
    ];
    expect(listeningSockets(table, 2468)).toEqual(["socket:[4711]"]);
  });

  test.runIf(process.platform === "linux")("finds this process, and nobody once the port is free", async () => {
    const server = Bun.serve({ port: 0, fetch: () => new Response() });
    const port = Number(server.url.port);
    expect(findListener(port)).toBe(process.pid);
    await server.stop(true);
    expect(findListener(port)).toBeNull();
  });
});
