/** All rules, in the order of reports. Explicit: what runs can be read here. */
import type { Rule } from '../rule.js';
import { httpSoft404 } from './http-soft-404.js';
import { idxBlockedByRobots } from './idx-blocked-by-robots.js';
import { idxNoindex } from './idx-noindex.js';
import { imgAlt } from './img-alt.js';
import { TABLE_RULES } from './table-rules.js';
import { titleDuplicate } from './title-duplicate.js';
import { titlePresent } from './title-present.js';

export const RULES: readonly Rule[] = [
  httpSoft404,
  idxNoindex,
  idxBlockedByRobots,
  titlePresent,
  titleDuplicate,
  imgAlt,
  ...TABLE_RULES,
];
