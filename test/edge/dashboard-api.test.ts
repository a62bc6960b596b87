/** What the dashboard is made of, against the Worker over HTTP. */
import '../engines/dashboard-api.test.js';
