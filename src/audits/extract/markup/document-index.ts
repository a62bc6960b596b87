/** What checks of single elements need to know about the document and their ancestors, each worked out once. */
import { attribute, type HtmlElement } from '../html-tree.js';
import { isActing, roleOf } from './element-role.js';

const LABELS_PER_ID_MAX = 10;

/** What surrounds an element. */
export interface Surroundings {
  readonly roles: ReadonlySet<string>;
  /** Inside a control. */
  readonly acting: boolean;
  readonly label: HtmlElement | null;
}

const NOTHING: Surroundings = { roles: new Set(), acting: false, label: null };

export class DocumentIndex {
  /** The first element of each id. */
  readonly byId: Map<string, HtmlElement> = new Map();
  /** By the id of their field. */
  readonly labelsFor: Map<string, HtmlElement[]> = new Map();
  /** Elements whose id was taken already. */
  readonly duplicates: Set<HtmlElement> = new Set();
  /** Whether an element has content that can be read; filled by `hasContent`. */
  readonly content: Map<HtmlElement, boolean> = new Map();
  /** Elements may be somewhere else in the accessibility tree than in the document. */
  hasOwned = false;
  readonly #surroundings = new Map<HtmlElement, Surroundings>();

  constructor(elements: Iterable<HtmlElement>) {
    for (const element of elements) if (element.attrs.length > 0) this.#add(element);
  }

  /** From those of the parent, so that depth costs nothing. A document is at most 1,024 elements deep. */
  around(element: HtmlElement): Surroundings {
    const parent = element.parentNode;
    if (!parent || !('tagName' in parent)) return NOTHING;
    const known = this.#surroundings.get(parent);
    if (known) return known;
    const above = this.around(parent);
    const { role } = roleOf(parent);
    const made = {
      roles: role === undefined || above.roles.has(role) ? above.roles : new Set([...above.roles, role]),
      acting: parent.tagName !== 'select' && (above.acting || isActing(parent)),
      label: parent.tagName === 'label' ? parent : above.label,
    };
    this.#surroundings.set(parent, made);
    return made;
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
