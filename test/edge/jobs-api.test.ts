/** Runs the embedded engine's suite of jobs, tenants and webhooks against the Worker over HTTP. */
import '../engines/jobs-api.test.js';
