/**
 * Faults of single elements, found during extraction: rules that differ only in data. A kind without a row does not
 * compile.
 */
import type { MarkupFaultKind } from '../extract/markup/markup-fault.js';
import { failIfAny, type PageRule, pageRule, type RuleHead } from '../rule.js';

interface Row extends Pick<RuleHead, 'title' | 'passTitle' | 'severity' | 'weight' | 'why' | 'fix'> {
  readonly expected: string;
}

/** In the order of the catalogue. */
const ROWS: Readonly<Record<MarkupFaultKind, Row>> = {
  label: {
    ...{ severity: 'warn', weight: 6 },
    title: '{n} {page has|pages have} form fields without a label',
    passTitle: 'Form fields have labels',
    why: 'Without a label, screen readers announce a field without saying what to enter.',
    fix: 'Connect a <label for="…"> to the field, or give it an aria-label.',
    expected: 'a label',
  },
  'button-name': {
    ...{ severity: 'warn', weight: 6 },
    title: '{n} {page has|pages have} buttons without a name',
    passTitle: 'Buttons have names',
    why: 'Screen readers announce a button without a name as "button".',
    fix: 'Give the button text or an aria-label.',
    expected: 'text or an aria-label',
  },
  'link-name': {
    ...{ severity: 'warn', weight: 5 },
    title: '{n} {page has|pages have} links without a name',
    passTitle: 'Links have names',
    why: 'Screen readers spell out the URL of a link that has no name.',
    fix: 'Give the link text, or its image alternative text.',
    expected: 'text, alternative text or an aria-label',
  },
  'graphic-name': {
    ...{ severity: 'warn', weight: 4 },
    title: '{n} {page has|pages have} graphics without alternative text',
    passTitle: 'Graphics have alternative text',
    why: 'Screen readers cannot describe image maps, image buttons, objects and SVG graphics without text.',
    fix: 'Add alt, aria-label or a <title>.',
    expected: 'alternative text',
  },
  'widget-name': {
    ...{ severity: 'warn', weight: 3 },
    title: '{n} {page has|pages have} dialogs or meters without a name',
    passTitle: 'Dialogs and meters have names',
    why: 'Screen readers cannot announce what a dialog or meter without a name is for.',
    fix: 'Add aria-labelledby with the id of its heading, or an aria-label.',
    expected: 'an accessible name',
  },
  'frame-title': {
    ...{ severity: 'warn', weight: 4 },
    title: '{n} {page has|pages have} frames without a title',
    passTitle: 'Frames have titles',
    why: 'Screen readers list frames by their titles.',
    fix: 'Add a title attribute that says what the frame shows.',
    expected: 'a title',
  },
  'duplicate-id': {
    ...{ severity: 'warn', weight: 4 },
    title: '{n} {page uses|pages use} an id more than once',
    passTitle: 'Every id is used once',
    why: 'Links, labels and scripts find only the first element with an id.',
    fix: 'Give every element a unique id.',
    expected: 'an id that no other element has',
  },
  'table-headers': {
    ...{ severity: 'warn', weight: 3 },
    title: '{n} {page has|pages have} tables without usable headers',
    passTitle: 'Tables have headers',
    why: 'Screen readers read the header with every cell; without one, a value has no context.',
    fix: 'Mark header cells as <th scope="col"> or <th scope="row">; mark layout tables as role="presentation".',
    expected: '<th> with a valid scope',
  },
  'table-caption': {
    ...{ severity: 'info', weight: 1 },
    title: '{n} {page has|pages have} tables without a caption',
    passTitle: 'Tables have captions',
    why: 'A caption says what the table is about before it is read cell by cell.',
    fix: 'Add a <caption>, or aria-labelledby with the id of the heading above the table.',
    expected: '<caption> or another name',
  },
  'list-structure': {
    ...{ severity: 'warn', weight: 2 },
    title: '{n} {page has|pages have} lists with stray elements',
    passTitle: 'Lists contain only list items',
    why: 'Screen readers announce the number of items, and other elements make it wrong.',
    fix: 'Put <li> into <ul> and <ol>, and <dt> and <dd> into <dl>, without other elements in between.',
    expected: 'list items in lists',
  },
  'aria-attribute': {
    ...{ severity: 'warn', weight: 4 },
    title: '{n} {page has|pages have} ARIA attributes that do not exist',
    passTitle: 'ARIA attributes exist',
    why: 'Browsers ignore attributes they do not know.',
    fix: 'Correct the name of the attribute.',
    expected: 'an attribute of WAI-ARIA 1.2',
  },
  'aria-allowed': {
    ...{ severity: 'warn', weight: 3 },
    title: '{n} {page has|pages have} ARIA attributes that do not apply to their element',
    passTitle: 'ARIA attributes apply to their elements',
    why: 'An attribute that the role does not support is ignored, or announced in a misleading way.',
    fix: 'Remove the attribute, or give the element a role that supports it.',
    expected: 'an attribute that the role supports',
  },
  'aria-value': {
    ...{ severity: 'warn', weight: 3 },
    title: '{n} {page has|pages have} ARIA attributes with an invalid value',
    passTitle: 'ARIA attributes have valid values',
    why: 'An invalid value is treated as if the attribute were missing.',
    fix: 'Use a value the attribute allows, and refer only to ids that exist.',
    expected: 'a value the attribute allows',
  },
  'aria-role': {
    ...{ severity: 'warn', weight: 4 },
    title: '{n} {page has|pages have} roles that do not exist',
    passTitle: 'Roles exist',
    why: 'An element with an unknown role is announced as if it had none.',
    fix: 'Use a WAI-ARIA role, or the HTML element that has it.',
    expected: 'a role of WAI-ARIA 1.2',
  },
  'aria-required': {
    ...{ severity: 'warn', weight: 4 },
    title: '{n} {page has|pages have} roles without their required attributes',
    passTitle: 'Roles have their required attributes',
    why: 'Without them, a screen reader cannot announce the state of the control.',
    fix: 'Add the attributes, or use the native HTML element.',
    expected: 'the required attributes',
  },
  'aria-parent': {
    ...{ severity: 'warn', weight: 3 },
    title: '{n} {page has|pages have} roles outside their required container',
    passTitle: 'Roles are inside their required containers',
    why: 'An option or a tab outside its container is not announced as part of a set.',
    fix: 'Put the element into an element with the container role.',
    expected: 'an ancestor with the container role',
  },
  'aria-hidden-body': {
    ...{ severity: 'error', weight: 8 },
    title: '{n} {page is|pages are} entirely hidden from screen readers',
    passTitle: 'No page is hidden from screen readers',
    why: 'aria-hidden on the body hides the whole page from screen readers.',
    fix: 'Remove aria-hidden from <body>.',
    expected: 'a body without aria-hidden',
  },
  'nested-interactive': {
    ...{ severity: 'warn', weight: 3 },
    title: '{n} {page has|pages have} controls inside other controls',
    passTitle: 'No control is inside another',
    why: 'Keyboards and screen readers reach only the outer control.',
    fix: 'Place the controls side by side.',
    expected: 'controls side by side',
  },
  lang: {
    ...{ severity: 'warn', weight: 2 },
    title: '{n} {page has|pages have} elements with an invalid language',
    passTitle: 'Languages of elements are valid',
    why: 'Screen readers cannot choose a voice for a language that does not exist.',
    fix: 'Use a language tag such as en or de-CH.',
    expected: 'a language tag (BCP 47)',
  },
  tabindex: {
    ...{ severity: 'info', weight: 1 },
    title: '{n} {page changes|pages change} the tab order',
    passTitle: 'The tab order follows the page',
    why: 'A positive tabindex moves an element ahead of everything else on the page.',
    fix: 'Use tabindex="0", and put elements in the order they should be reached.',
    expected: 'tabindex 0 or -1',
  },
  accesskey: {
    ...{ severity: 'info', weight: 1 },
    title: '{n} {page uses|pages use} an access key more than once',
    passTitle: 'Access keys are used once',
    why: 'If two elements share an access key, only one can be reached.',
    fix: 'Give each element its own key, or none.',
    expected: 'a key that no other element has',
  },
  autocomplete: {
    ...{ severity: 'info', weight: 1 },
    title: '{n} {page has|pages have} fields with an invalid autocomplete',
    passTitle: 'Autocomplete values are valid',
    why: 'Browsers and password managers fill in only the fields they recognize.',
    fix: 'Use a value of the HTML standard, such as email or given-name.',
    expected: 'a value of the HTML standard',
  },
  captions: {
    ...{ severity: 'info', weight: 2 },
    title: '{n} {page has|pages have} videos without captions',
    passTitle: 'Videos have captions',
    why: 'People who cannot hear the sound need the words.',
    fix: 'Add <track kind="captions">, or muted if it has no sound.',
    expected: '<track kind="captions">',
  },
  autoplay: {
    ...{ severity: 'warn', weight: 2 },
    title: '{n} {page plays|pages play} sound that cannot be stopped',
    passTitle: 'No page plays sound that cannot be stopped',
    why: 'Sound that starts automatically drowns out screen readers.',
    fix: 'Add controls, or muted.',
    expected: 'controls or muted',
  },
  landmark: {
    ...{ severity: 'info', weight: 1 },
    title: '{n} {page does|pages do} not have exactly one main landmark',
    passTitle: 'Pages have one main landmark',
    why: 'Screen reader users jump to the main landmark to skip menus and headers.',
    fix: 'Put the content of the page into one <main>.',
    expected: 'one <main>',
  },
  obsolete: {
    ...{ severity: 'info', weight: 1 },
    title: '{n} {page uses|pages use} obsolete markup',
    passTitle: 'No page uses obsolete markup',
    why: 'Moving or blinking text and server-side image maps exclude many users.',
    fix: 'Replace the element.',
    expected: 'current HTML',
  },
};

export const MARKUP_RULES: readonly PageRule[] = Object.entries(ROWS).map(ruleOfRow);

function ruleOfRow([kind, { expected, ...head }]: readonly [string, Row]): PageRule {
  return pageRule({
    ...head,
    id: `a11y.${kind}`,
    category: 'a11y',
    on: 'html',
    inputs: { document: ['markup'] },
    check: ({ page: { url }, document: { markup } }) =>
      failIfAny(
        markup
          .filter((fault) => fault.kind === kind)
          .map(({ html, line, observed }) => ({
            url,
            element: html,
            // An element that the parser added has no line.
            ...(line > 0 && { line }),
            observed,
            expected,
          })),
      ),
  });
}
