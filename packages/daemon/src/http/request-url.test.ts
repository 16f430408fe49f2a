import { describe, expect, test } from "vitest";
import { pathOf } from "./request-url.ts";

/** A request with the target exactly as the client sent it. */
const asked = (target: string, host = "localhost:2468") => ({ url: `http://${host}${target}` });

describe("the path of a request", () => {
  test.each([
    ["/v1/sessions/one", "/v1/sessions/one"],
    ["/v1/sessions/a.b~c_d-e", "/v1/sessions/a.b~c_d-e"],
    ["/v1/sessions/one?access_token=secret", "/v1/sessions/one"],
    ["/v1/sessions/one?next=/v1/../x", "/v1/sessions/one"],
    ["/", "/"],
    ["/?a=b", "/"],
    ["/ui/", "/ui/"],
    ["/v1//sessions", "/v1//sessions"],
    ["/v1/sessions/x%2Fy", "/v1/sessions/x%2Fy"],
    ["/v1/sessions/ä", "/v1/sessions/%C3%A4"],
    ["/v1/sessions/a b", "/v1/sessions/a%20b"],
    ["/v1/x/../sessions", "/v1/sessions"],
    ["/v1/./sessions", "/v1/sessions"],
    ["/v1/%2e%2e/sessions", "/sessions"],
    ["/v1/sessions/..", "/v1/"],
    ["/v1/sessions/...", "/v1/sessions/..."],
  ])("%s is %s", (target, path) => {
    expect(pathOf(asked(target))).toBe(path);
  });

  test.each(["", "[::1]:2468", "a.b.c", "name_with_underscore"])("does not depend on the host %j", (host) => {
    expect(pathOf(asked("/v1/sessions/one", host))).toBe("/v1/sessions/one");
  });
});
