import { expect, test } from "vitest";
import type { ProviderList } from "./generated/api.ts";
import { chooseModel, universalModels } from "./models.ts";

function model(providerID: string, id: string, more: { status?: string; variants?: Record<string, object> } = {}) {
  const variants = Object.fromEntries(Object.keys(more.variants ?? {}).map((name) => [name, {}]));
  return {
    id,
    providerID,
    name: id.toUpperCase(),
    limit: { context: 1000, output: 10 },
    status: more.status ?? "active",
    variants,
  };
}

const list: ProviderList = {
  providers: [
    {
      id: "openai",
      name: "OpenAI",
      models: { b: model("openai", "b"), old: model("openai", "old", { status: "deprecated" }) },
    },
    { id: "anthropic", name: "Anthropic", models: { a: model("anthropic", "a", { variants: { low: {}, high: {} } }) } },
  ],
  default: { openai: "b", anthropic: "a" },
};

test("models are sorted, named by provider and model, with sorted variants; Anthropic's default goes first", () => {
  expect(universalModels(list)).toEqual({
    models: [
      { id: "anthropic/a", name: "A", variants: ["high", "low"] },
      { id: "openai/b", name: "B" },
    ],
    defaultModel: "anthropic/a",
  });
});

test.each([
  ["openai/b", { providerID: "openai", modelID: "b", contextWindow: 1000 }],
  ["b", { providerID: "openai", modelID: "b", contextWindow: 1000 }],
  [null, { providerID: "anthropic", modelID: "a", contextWindow: 1000 }],
  ["openai/x", { code: "model_not_found" }],
  ["groq/x", { code: "auth_required", details: { provider: "groq" } }],
])("%s", (id, choice) => {
  expect(chooseModel(id, list)).toMatchObject(choice);
});

test("without any provider there is nothing to choose from", () => {
  expect(chooseModel("openai/b", { providers: [], default: {} })).toMatchObject({ code: "auth_required" });
});
