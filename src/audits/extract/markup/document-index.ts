/** What checks of single elements need to know about the document and their ancestors, each computed once. */
import { attribute, type HtmlElement } from '../html-tree.js';
import { isInteractive, roleOf } from './element-role.js';

const LABELS_PER_ID_MAX = 10;

/** What an element is inside of. */
export interface Surroundings {
  readonly roles: ReadonlySet<string>;
  /** Whether it is inside a control. */
  readonly inControl: boolean;
  readonly label: HtmlElement | null;
}

const NOTHING: Surroundings = { roles: new Set(), inControl: false, label: null };

export class DocumentIndex {
  /** The first element with each id. */
  readonly byId: Map<string, HtmlElement> = new Map();
  /** Labels by the id of their field. */
  readonly labelsFor: Map<string, HtmlElement[]> = new Map();
  /** Elements whose id is already in use. */
  readonly duplicates: Set<HtmlElement> = new Set();
  /** Whether an element has readable content; filled by `hasContent`. */
  readonly content: Map<HtmlElement, boolean> = new Map();
  /** Whether `aria-owns` may move elements in the accessibility tree. */
  hasOwned = false;
  readonly #surroundings = new Map<HtmlElement, Surroundings>();

  constructor(elements: Iterable<HtmlElement>) {
    for (const element of elements) if (element.attrs.length > 0) this.#add(element);
  }

  /** Derived from the parent, so that depth costs nothing. A document is at most 1,024 elements deep. */
  around(element: HtmlElement): Surroundings {
    const parent = element.parentNode;
    if (!parent || !('tagName' in parent)) return NOTHING;
    const known = this.#surroundings.get(parent);
    if (known) return known;
    const above = this.around(parent);
    const { role } = roleOf(parent);
    const surroundings = {
      roles: role === undefined || above.roles.has(role) ? above.roles : new Set([...above.roles, role]),
      inControl: parent.tagName !== 'select' && (above.inControl || isInteractive(parent)),
      label: parent.tagName === 'label' ? parent : above.label,
    };
    this.#surroundings.set(parent, surroundings);
    return surroundings;
  }

  #add(element: HtmlElement): void {
    for (const { name, value } of element.attrs) {
      if (name === 'aria-owns') this.hasOwned = true;
      if (name !== 'id' || value === '') continue;
      if (this.byId.has(value)) this.duplicates.add(element);
      else this.byId.set(value, element);
    }
    const target = element.tagName === 'label' ? attribute(element, 'for') : null;
    if (!target) return;
    const labels = this.labelsFor.get(target) ?? [];
    if (labels.length < LABELS_PER_ID_MAX) labels.push(element);
    this.labelsFor.set(target, labels);
  }
}
