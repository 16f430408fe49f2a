/**
 * Finds the target of a path. Patterns consist of fixed names, `:parameters` and a final `*` for any rest. A fixed name wins
 * over a parameter, and both win over `*`.
 */
export interface Found<Target> {
  target: Target;
  /** Still percent-encoded, as in the path. */
  params: Record<string, string>;
}

interface Place<Target> {
  fixed: Map<string, Place<Target>>;
  parameter: Place<Target> | null;
  /** The target of a path that ends here, and the names of its parameters. */
  end: { target: Target; names: string[] } | null;
  rest: Target | null;
}

export function pathFinder<Target>(targets: Record<string, Target>): (path: string) => Found<Target> | null {
  const root = emptyPlace<Target>();
  for (const [pattern, target] of Object.entries(targets)) add(root, pattern, target);
  return (path) => find(root, path.split("/"), 0, []);
}

function emptyPlace<Target>(): Place<Target> {
  return { fixed: new Map(), parameter: null, end: null, rest: null };
}

function add<Target>(root: Place<Target>, pattern: string, target: Target): void {
  const names: string[] = [];
  let place = root;
  for (const part of pattern.split("/")) {
    if (part === "*") {
      place.rest = target;
      return;
    }
    if (part.startsWith(":")) names.push(part.slice(1));
    place = below(place, part);
  }
  place.end = { target, names };
}

function below<Target>(place: Place<Target>, part: string): Place<Target> {
  if (part.startsWith(":")) return (place.parameter ??= emptyPlace());
  const known = place.fixed.get(part) ?? emptyPlace<Target>();
  place.fixed.set(part, known);
  return known;
}

function find<Target>(place: Place<Target>, names: string[], at: number, values: string[]): Found<Target> | null {
  const name = names[at];
  if (name === undefined) return place.end && { target: place.end.target, params: paired(place.end.names, values) };
  const fixed = place.fixed.get(name);
  const parameter = name === "" ? null : place.parameter;
  return (
    (fixed && find(fixed, names, at + 1, values)) ??
    (parameter && find(parameter, names, at + 1, [...values, name])) ??
    (place.rest && { target: place.rest, params: {} })
  );
}

function paired(names: string[], values: string[]): Record<string, string> {
  return Object.fromEntries(names.map((name, index) => [name, values[index] ?? ""]));
}
