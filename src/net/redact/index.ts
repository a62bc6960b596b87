/** The public exports of the redactor. */

export { redactingLog } from './redacting-log.js';
export { createRedactor, type Redactor } from './redactor.js';
