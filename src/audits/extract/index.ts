/**
 * The public exports of `extract/`, separate from those of `audits/` so that the parser is loaded only where documents
 * are read.
 */
export { readDocument } from './read-document.js';
