/** Runs the embedded engine's tests of limits on comparisons and audits against the Worker over HTTP. */
import '../engines/work-bounds.test.js';
