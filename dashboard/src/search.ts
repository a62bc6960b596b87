/** Search parameters: short strings with known names. Everything else in a URL is dropped. */
const CHARS_MAX = 4_000;

export function readSearch<Name extends string>(names: readonly Name[]) {
  return (raw: Record<string, unknown>): { [name in Name]?: string } => {
    const found: { [name in Name]?: string } = {};
    for (const name of names) {
      const value = raw[name];
      if (typeof value === 'string' || typeof value === 'number')
        found[name] = String(value).slice(0, CHARS_MAX);
    }
    return found;
  };
}

/** Sets or removes one parameter and keeps the others. */
export function withParam<S extends object>(name: keyof S, value: string | undefined): (search: S) => S {
  return (search) => {
    const { [name]: _old, ...rest } = search;
    return (value === undefined || value === '' ? rest : { ...rest, [name]: value }) as S;
  };
}
