/** Gemini `generateContent`, the reading half: strict validation, and the request as an exchange. */
import * as z from "zod";
import { type Entry, type Exchange, type Failure, refuse } from "./exchange.ts";
import { geminiDialect, wholeContent } from "./gemini-stream.ts";
import { base64Bytes, check, judgeKey, type Provider, requireModel } from "./provider.ts";

const part = z.looseObject({
  text: z.string().optional(),
  thought: z.boolean().optional(),
  inlineData: z.looseObject({ mimeType: z.string(), data: z.string().min(1) }).optional(),
  functionCall: z.looseObject({ id: z.string().optional(), name: z.string().min(1) }).optional(),
  functionResponse: z
    .looseObject({ id: z.string().optional(), name: z.string().min(1), response: z.record(z.string(), z.unknown()) })
    .optional(),
});
const content = z.looseObject({ role: z.enum(["user", "model"]), parts: z.array(part).min(1) });
const countRequest = z.looseObject({ contents: z.array(content).min(1, "contents is not specified") });
const request = countRequest.extend({
  systemInstruction: z.looseObject({ parts: z.array(part) }).optional(),
  tools: z
    .array(z.looseObject({ functionDeclarations: z.array(z.looseObject({ name: z.string() })).optional() }))
    .optional(),
});

type Content = z.infer<typeof content>;
type Part = z.infer<typeof part>;

/** The model and the form of the answer are parts of the address: `/v1beta/models/MODEL:METHOD`. */
export function geminiCall(pathname: string): { model: string; method: string } | null {
  const [, model, method] = /^\/v1beta\/models\/([^/:]+):(\w+)$/.exec(pathname) ?? [];
  return model && method ? { model, method } : null;
}

export function gemini({ model, method }: { model: string; method: string }): Provider {
  return {
    checkKey,
    read(body) {
      const { contents, systemInstruction, tools = [] } = check(request, body);
      requireModel(model);
      checkPairs(contents);
      const exchange: Exchange = {
        model,
        session: "",
        entries: contents.flatMap(entriesOf),
        tools: tools
          .flatMap(({ functionDeclarations = [] }) => functionDeclarations)
          .map(({ name }) => ({ name, namespace: null, form: "function" })),
        instructions: (systemInstruction?.parts ?? []).map(({ text = "" }) => text).join("\n"),
        compacts: false,
      };
      return { exchange, stream: method === "streamGenerateContent" };
    },
    dialect: geminiDialect,
    whole: wholeContent,
    refusal: geminiRefusal,
  };
}

export function countGeminiTokens(body: unknown): { totalTokens: number } {
  return { totalTokens: Math.ceil(JSON.stringify(check(countRequest, body).contents).length / 4) };
}

/** A wrong key is a bad request here. */
function checkKey(headers: Headers): void {
  const verdict = judgeKey(headers.get("x-goog-api-key"));
  if (verdict === "missing") {
    refuse(
      403,
      "Method doesn't allow unregistered callers. Please use API Key or other form of API consumer identity.",
    );
  }
  if (verdict === "unknown") refuse(400, "API key not valid. Please pass a valid API key.", "API_KEY_INVALID");
  if (verdict === "expired") refuse(400, "API key expired. Please renew the API key.", "API_KEY_INVALID");
}

/** The calls of one turn are answered all together in the next. */
function checkPairs(contents: readonly Content[]): void {
  for (const [index, { parts }] of contents.entries()) {
    const asked = contents[index - 1]?.parts.filter(({ functionCall }) => functionCall).length ?? 0;
    const answered = parts.filter(({ functionResponse }) => functionResponse).length;
    if (asked === answered) continue;
    refuse(
      400,
      "Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.",
    );
  }
}

function entriesOf({ role, parts }: Content): Entry[] {
  return parts.flatMap((each) => entryOf(role, each));
}

function entryOf(role: Content["role"], { text, thought, inlineData, functionCall, functionResponse }: Part): Entry[] {
  if (functionCall) return [{ kind: "call", id: functionCall.id ?? "", name: functionCall.name }];
  if (functionResponse) {
    return [{ kind: "result", id: functionResponse.id ?? "", text: JSON.stringify(functionResponse.response) }];
  }
  if (inlineData) return [{ kind: "image", mediaType: inlineData.mimeType, bytes: base64Bytes(inlineData.data) }];
  if (!text || thought) return [];
  return [{ kind: role === "user" ? "user" : "assistant", text }];
}

const statuses: Record<number, string> = {
  400: "INVALID_ARGUMENT",
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  429: "RESOURCE_EXHAUSTED",
  500: "INTERNAL",
  503: "UNAVAILABLE",
};

export function geminiError({ status, type, message }: Failure) {
  const reason = { "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason: type, domain: "googleapis.com" };
  return {
    code: status,
    message,
    status: statuses[status] ?? "UNKNOWN",
    ...(type !== null && { details: [reason] }),
  };
}

function geminiRefusal(failure: Failure): Response {
  return Response.json({ error: geminiError(failure) }, { status: failure.status });
}
