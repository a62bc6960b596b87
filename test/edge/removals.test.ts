/** Runs the deletion suite of the other engines against the Worker over HTTP. */
import '../engines/removals.test.js';
