/** Faults of single elements that markup alone shows. Each kind is one rule of the catalogue. */
export const MARKUP_FAULT_KINDS = [
  'duplicate-id',
  'label',
  'button-name',
  'link-name',
  'graphic-name',
  'widget-name',
  'frame-title',
  'table-headers',
  'table-caption',
  'list-structure',
  'aria-attribute',
  'aria-allowed',
  'aria-value',
  'aria-role',
  'aria-required',
  'aria-parent',
  'aria-hidden-body',
  'nested-interactive',
  'lang',
  'tabindex',
  'accesskey',
  'autocomplete',
  'captions',
  'autoplay',
  'landmark',
  'obsolete',
] as const;

export type MarkupFaultKind = (typeof MARKUP_FAULT_KINDS)[number];

/** Records a fault of the element that is being checked. */
export type AddFault = (kind: MarkupFaultKind, observed: string) => void;
