/** The feed of changes, against the Worker over HTTP. */
import '../engines/changes.test.js';
