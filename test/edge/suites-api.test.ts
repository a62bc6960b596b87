/** The suite of the embedded engine's suites of paths, against the Worker over HTTP. */
import '../engines/suites-api.test.js';
