/** Runs the suite of the changes feed against the Worker over HTTP. */
import '../engines/changes.test.js';
