/** The turns of this process's event loop, shared by everything long that runs in it. */
import { createTurns } from '../../loop-turns.js';

export const nextTurn = createTurns(setImmediate);
