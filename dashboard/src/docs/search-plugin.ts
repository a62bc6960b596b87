/** Searches operations by path, text, field and error code. Swagger UI's own filter knows only the names of groups. */

/** The parts of Swagger UI's Immutable collections that are used here. */
interface Collection<Item> {
  filter(keep: (item: Item) => boolean): Collection<Item>;
  map<Other>(change: (item: Item) => Other): Collection<Other>;
  readonly size: number;
}
interface Group {
  get(key: 'operations'): Collection<unknown>;
  set(key: 'operations', operations: Collection<unknown>): Group;
}

interface Props {
  readonly layoutSelectors: { currentFilter(): string | boolean };
  readonly layoutActions: { updateFilter(words: string): void };
}

interface System {
  readonly React: {
    createElement(type: string, props: Readonly<Record<string, unknown>>, ...children: unknown[]): unknown;
  };
}

function opsFilter(groups: Collection<Group>, phrase: string): Collection<Group> {
  const words = phrase.toLowerCase().split(/\s+/).filter(Boolean);
  const isFound = (operation: unknown) => {
    const text = JSON.stringify(operation).toLowerCase();
    return words.every((word) => text.includes(word));
  };
  return groups
    .map((group) => group.set('operations', group.get('operations').filter(isFound)))
    .filter((group) => group.get('operations').size > 0);
}

export function searchPlugin({ React }: System) {
  const FilterContainer = ({ layoutSelectors, layoutActions }: Props) => {
    const words = layoutSelectors.currentFilter();
    return React.createElement(
      'label',
      { className: 'search' },
      'Find an operation, a field or an error code',
      React.createElement('input', {
        type: 'search',
        autoComplete: 'off',
        spellCheck: false,
        value: typeof words === 'string' ? words : '',
        onChange: (event: { readonly target: HTMLInputElement }) =>
          layoutActions.updateFilter(event.target.value),
      }),
    );
  };
  return { fn: { opsFilter }, components: { FilterContainer } };
}
