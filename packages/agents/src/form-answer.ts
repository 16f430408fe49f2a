/** An answer to a field of a form that is described by JSON Schema, in the type that the field wants. */
export function typedAnswer(type: string, chosen: readonly string[]): string | number | boolean | string[] {
  const [first = ""] = chosen;
  switch (type) {
    case "array":
      return [...chosen];
    case "boolean":
      return /^(true|yes|y|1)$/i.test(first);
    case "number":
    case "integer":
      return Number(first);
    default:
      return chosen.join(", ");
  }
}
