/** Runs the suite about input that is refused before any operation against the Worker over HTTP. */
import '../engines/refused-input.test.js';
