import { Validator } from "@seriousme/openapi-schema-validator";
import Ajv2020 from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { openApiDocument } from "./openapi.ts";
import { type Operation, operations } from "./operations.ts";
import { problemKinds } from "./problem.ts";

const Parameter = z.object({
  name: z.string(),
  in: z.string(),
  required: z.boolean(),
  schema: z.looseObject({ type: z.string().optional() }),
});
const Described = z.looseObject({
  operationId: z.string(),
  parameters: z.array(Parameter),
  security: z.array(z.unknown()).optional(),
  requestBody: z.object({ required: z.boolean() }).loose().optional(),
  responses: z.record(z.string(), z.looseObject({ description: z.string() })),
});
const Document = z.object({
  paths: z.record(z.string(), z.record(z.string(), Described)),
  components: z.object({ schemas: z.record(z.string(), z.unknown()) }),
});

const source = openApiDocument({ version: "1.2.3" });
const { paths, components } = Document.parse(source);
const table = Object.entries<Operation>(operations);

function described({ path, method }: Operation) {
  const found = paths[path]?.[method.toLowerCase()];
  if (!found) throw new Error(`the document has no ${method} ${path}`);
  return found;
}

describe("the OpenAPI document", () => {
  test("is valid", async () => {
    const { valid, errors } = await new Validator().validate(structuredClone(source));
    expect({ valid, errors }).toEqual({ valid: true, errors: undefined });
  });

  test("carries the version it is given", () => {
    expect(source.info).toMatchObject({ version: "1.2.3" });
  });

  test("has exactly the operations there are", () => {
    const ids = Object.values(paths).flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId));
    expect(ids.toSorted()).toEqual(Object.keys(operations).toSorted());
  });

  test("has no reference to a component that is missing", () => {
    const references = JSON.stringify(source).matchAll(/"#\/components\/schemas\/(\w+)"/g);
    const missing = [...references].map(([, name]) => name ?? "").filter((name) => !(name in components.schemas));
    expect(missing).toEqual([]);
  });

  test("has no component without a use", () => {
    const text = JSON.stringify(source);
    const unused = Object.keys(components.schemas).filter((name) => !text.includes(`"#/components/schemas/${name}"`));
    expect(unused).toEqual([]);
  });
});

describe.each(table)("the description of %s", (id, operation) => {
  const { operationId, parameters, requestBody, responses } = described(operation);

  test("is found under its path and method", () => {
    expect(operationId).toBe(id);
  });

  test("has its parameters; those of the path and mandatory query values are required", () => {
    const inPath = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ["path", name, true]);
    const inQuery = Object.entries(operation.query?.().shape ?? {}).map(([name, schema]) => {
      return ["query", name, schema instanceof z.ZodType && !schema.safeParse(undefined).success];
    });
    const inHeader = Object.keys(operation.headers ?? {}).map((name) => ["header", name, false]);
    expect(parameters.map((parameter) => [parameter.in, parameter.name, parameter.required])).toEqual([
      ...inPath,
      ...inQuery,
      ...inHeader,
    ]);
  });

  test("requires a body if the operation does", () => {
    expect(requestBody?.required).toBe(operation.binary ? true : operation.body && !operation.bodyOptional);
  });

  test("has a response for success and for each of its problems", () => {
    const unmentioned = (operation.problems ?? []).filter(
      (kind) => !responses[problemKinds[kind].status]?.description.includes(`\`${kind}\``),
    );
    expect({ success: operation.success.status in responses, unmentioned }).toEqual({ success: true, unmentioned: [] });
  });
});

describe("a query parameter", () => {
  const types = new Map<string, unknown>(
    table.flatMap(([id, operation]) =>
      described(operation).parameters.map(({ name, schema }) => [`${id}.${name}`, schema]),
    ),
  );

  test.each(["waitForSession.timeout_ms", "getEvents.offset", "getEvents.limit", "streamEvents.offset"])(
    "that is a whole number is described as one: %s",
    (parameter) => {
      expect(types.get(parameter)).toEqual({ type: "integer", minimum: 0 });
    },
  );

  test.each([
    "postMessageStream.include_raw",
    "getEvents.include_raw",
    "streamEvents.include_raw",
    "streamAllEvents.include_raw",
  ])("that is a boolean is described as one: %s", (parameter) => {
    expect(types.get(parameter)).toEqual({ type: "boolean" });
  });

  test.each(["waitForSession.until", "streamAllEvents.offset"])(
    "that is a text is described as one: %s",
    (parameter) => {
      expect(types.get(parameter)).toMatchObject({ type: "string" });
    },
  );
});

describe("the token", () => {
  test("is needed for everything but the server's own page and the health check", () => {
    const open = table.filter(([, operation]) => operation.scopes === null).map(([id]) => id);
    expect(open).toEqual(["getServerInfo", "getHealth"]);
  });

  test("is described as not needed there and nowhere else", () => {
    const open = table.filter(([, operation]) => described(operation).security?.length === 0).map(([id]) => id);
    expect(open).toEqual(["getServerInfo", "getHealth"]);
  });
});

describe("a health check with a field the schema does not know", () => {
  function accepts(document: Record<string, unknown>): boolean {
    const ajv = new Ajv2020({ strict: false });
    addFormats.default(ajv);
    ajv.addSchema({ $id: "api", ...document });
    return ajv.validate("api#/components/schemas/Health", { status: "ok", surprise: true });
  }

  test("is accepted by clients", () => {
    expect(accepts(openApiDocument({ version: "1" }))).toBe(true);
  });

  test("fails the closed document of the tests", () => {
    expect(accepts(openApiDocument({ version: "1", closed: true }))).toBe(false);
  });
});
