/** What is deleted on the other engines is deleted by the Worker too. */
import '../engines/removals.test.js';
