/** The redactor's public door. */

export { redactingLog } from './redacting-log.js';
export { createRedactor, type Redactor } from './redactor.js';
