/** Compares the Worker's responses with the access matrix of the server. */
import '../engines/access.test.js';
