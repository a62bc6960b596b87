import { test } from 'vitest';
import { report } from '../support/fault-report.js';
import { killWhilePiping } from './proxy-kill.js';

/** `SONDE_KILLS` makes it shorter or longer. */
const KILLS = Number(process.env['SONDE_KILLS'] ?? 1000);

test(`nothing shown is lost across ${KILLS} kills while eight responses stream in`, async () => {
  report('proxy-kill', { kills: KILLS, ...(await killWhilePiping(KILLS)) });
});
