/** Runs the suite about what a route reveals of another tenant's resources against the Worker over HTTP. */
import '../engines/every-route.test.js';
