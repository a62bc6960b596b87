/** JSON as a tree that expands branch by branch; loaded on demand, because few pages show it. */
import { collapseAllNested, JsonView as Tree } from 'react-json-view-lite';
import { CopyButton } from './copy';

const STYLE = {
  container: 'json',
  basicChildStyle: 'json-child',
  childFieldsContainer: 'json-fields',
  label: 'json-label',
  clickableLabel: 'json-label json-click',
  nullValue: 'json-null',
  undefinedValue: 'json-null',
  stringValue: 'json-string',
  booleanValue: 'json-value',
  numberValue: 'json-value',
  otherValue: 'json-value',
  punctuation: 'json-mark',
  collapseIcon: 'json-collapse',
  expandIcon: 'json-expand',
  collapsedContent: 'json-more',
  noQuotesForStringValues: false,
  quotesForFieldNames: false,
  ariaLables: { collapseJson: 'Close', expandJson: 'Open' },
  stringifyStringValues: true,
};

export function JsonView({ value }: { value: unknown }) {
  const isTree = typeof value === 'object' && value !== null;
  return (
    <div className="json-frame">
      <div className="actions">
        <CopyButton text={() => JSON.stringify(value, null, 2)}>Copy JSON</CopyButton>
      </div>
      {isTree ? (
        <Tree data={value} style={STYLE} shouldExpandNode={collapseAllNested} clickToExpandNode />
      ) : (
        <pre className="block">{JSON.stringify(value)}</pre>
      )}
    </div>
  );
}
