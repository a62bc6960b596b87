/** The suite of the embedded engine's comparisons, against the Worker over HTTP. */
import '../engines/compare-api.test.js';
