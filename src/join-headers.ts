/**
 * The headers of several objects in one, in their order; of two alike the later counts. They are built with every
 * response: a literal that begins by spreading an object costs Node 20 about a microsecond for each member that follows.
 */
type Part = Readonly<Record<string, string>> | false | null | undefined;

export function joinHeaders(...parts: readonly Part[]): Record<string, string> {
  return Object.assign({}, ...parts);
}
