/** The turns of this process's event loop, shared by all long-running work. */
import { createTurns } from '../../loop-turns.js';

export const nextTurn = createTurns(setImmediate);
