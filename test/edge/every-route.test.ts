/** What a tenant learns of another's things from any route of the embedded engine, asked of the Worker over HTTP. */
import '../engines/every-route.test.js';
