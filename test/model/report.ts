/** Reports of the model about its request, for tests: images, earlier messages, tools. */
import { isContext, userEntries } from "./context.ts";
import type { Exchange } from "./exchange.ts";
import { type Step, shorten } from "./script.ts";

export function report(step: Step, exchange: Exchange): string | null {
  if (step.kind === "image") return images(exchange);
  if (step.kind === "context") return context(exchange);
  if (step.kind === "recall") return userTexts(exchange)[0] ?? "There was no message.";
  if (step.kind === "echo-tools") return toolNames(exchange).join(", ");
  return null;
}

function images(exchange: Exchange): string {
  const found = exchange.entries.flatMap((entry) => (entry.kind === "image" ? [entry] : []));
  const each = found.map((image) => `${image.mediaType} ${image.bytes} bytes`);
  return `Images: ${found.length}${each.length > 0 ? ` (${each.join(", ")})` : ""}`;
}

function context(exchange: Exchange): string {
  const texts = userTexts(exchange).map((text) => `"${shorten(text, 40)}"`);
  return `User messages: ${texts.length} (${texts.join(", ")})`;
}

function userTexts(exchange: Exchange): string[] {
  return userEntries(exchange.entries).flatMap((entry) =>
    entry.kind === "user" && !isContext(entry.text) ? [entry.text.trim()] : [],
  );
}

export function toolNames(exchange: Exchange): string[] {
  return exchange.tools.map((tool) => (tool.namespace ? `${tool.namespace}.${tool.name}` : tool.name));
}
