/** Links to one operation by its id alone, such as `/docs#createComparison`. */
export interface ApiDocument {
  readonly paths: Readonly<
    Record<
      string,
      Readonly<Record<string, { readonly operationId?: string; readonly tags?: readonly string[] }>>
    >
  >;
}

/** Returns the fragment by which Swagger UI opens the operation, or `undefined` if the fragment names none. */
export function deepLink({ paths }: ApiDocument, hash: string): string | undefined {
  const id = hash.slice(1);
  const operations = Object.values(paths).flatMap((item) => Object.values(item));
  const [tag] = operations.find(({ operationId }) => operationId === id)?.tags ?? [];
  return tag === undefined ? undefined : `#/${encodeURIComponent(tag)}/${id}`;
}
