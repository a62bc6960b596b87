/** The mark: a filled circle at the end of a thin plumb line, one colour, drawn for 16 px and up. */
const SHAPES =
  '<path d="M8 0v9" fill="none" stroke="currentColor" stroke-width="1.25"/>' +
  '<circle cx="8" cy="11.5" r="3.5" fill="currentColor"/>';

export const MARK = `<svg class="mark" viewBox="0 0 16 16" aria-hidden="true" focusable="false">${SHAPES}</svg>`;

export const FAVICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16" color="#0b6e75">' +
  `<style>@media (prefers-color-scheme: dark){svg{color:#5cc8cf}}</style>${SHAPES}</svg>\n`;
