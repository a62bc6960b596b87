/** Runs the suites API tests of the embedded engine against the Worker over HTTP. */
import '../engines/suites-api.test.js';
