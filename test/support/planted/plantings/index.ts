/** All plantings; at least one for every rule. */
import type { Planting } from '../planting.js';
import { MARKUP_FAULTS } from './markup-faults.js';
import { PAGE_FAULTS } from './page-faults.js';
import { SHARED_FAULTS } from './shared-faults.js';
import { SITE_FAULTS } from './site-faults.js';

export const PLANTINGS: readonly Planting[] = [
  ...PAGE_FAULTS,
  ...MARKUP_FAULTS,
  ...SHARED_FAULTS,
  ...SITE_FAULTS,
];
