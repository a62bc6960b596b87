/** The suite of the embedded engine's queue, tenants and webhooks, against the Worker over HTTP. */
import '../engines/jobs-api.test.js';
