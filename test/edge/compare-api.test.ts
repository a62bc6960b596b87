/** Runs the comparisons suite of the embedded engine against the Worker over HTTP. */
import '../engines/compare-api.test.js';
