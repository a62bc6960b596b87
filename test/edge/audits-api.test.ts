/** The suite of the embedded engine's audits, against the Worker over HTTP. */
import '../engines/audits-api.test.js';
