import { test } from 'vitest';
import { report } from '../support/fault-report.js';
import { killRepeatedly } from './streams-kill.js';

/** `SONDE_KILLS` makes it shorter or longer. */
const KILLS = Number(process.env['SONDE_KILLS'] ?? 1000);

test(`nothing acknowledged or shown is lost across ${KILLS} kills`, async () => {
  const { acknowledged } = await killRepeatedly(KILLS);
  report('streams-kill', { kills: KILLS, acknowledgedRecords: acknowledged, lost: 0 });
});
