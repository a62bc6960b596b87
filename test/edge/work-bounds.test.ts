/** The suite of the embedded engine's bounds of comparisons and audits, against the Worker over HTTP. */
import '../engines/work-bounds.test.js';
