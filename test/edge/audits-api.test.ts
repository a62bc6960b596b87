/** Runs the audits suite of the embedded engine against the Worker over HTTP. */
import '../engines/audits-api.test.js';
