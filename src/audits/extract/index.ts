/** The egress layer of `extract/`, apart from that of `audits/`: the parser is loaded only where documents are read. */
export { readDocument } from './read-document.js';
