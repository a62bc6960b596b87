/** Runs the suite of the dashboard's data against the Worker over HTTP. */
import '../engines/dashboard-api.test.js';
