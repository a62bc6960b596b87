/** Settings of comparisons and audits: limits and retention. */
import type { SettingRow } from '../setting-row.js';
import { count, size, time } from './forms.js';

export const COMPARE_ROWS = [
  {
    key: 'compare.probeMs',
    flag: 'probe-ms',
    about: 'how long one probe may take, including redirects and body',
    ...time('100ms', '30s', '10s'),
  },
  {
    key: 'compare.redirectsMax',
    flag: 'probe-redirects',
    about: 'maximum redirects per probe',
    ...count(0, 20, 10),
  },
  {
    key: 'compare.confirmSamples',
    flag: 'confirm-samples',
    about: 'samples per side at most, if only one side varies from request to request',
    ...count(1, 50, 12),
  },
  {
    key: 'compare.kept',
    flag: 'compare-kept',
    about: 'comparisons kept per pair of environments',
    ...count(1, 10_000, 50),
  },
  {
    key: 'compare.retentionMs',
    flag: 'compare-retention-ms',
    about: 'how long finished comparisons and suites are kept',
    ...time('1m', '3650d', '90d'),
  },
] as const satisfies readonly SettingRow[];

export const AUDIT_ROWS = [
  {
    key: 'audit.fetchMs',
    flag: 'audit-fetch-ms',
    about: 'how long one fetch of an audit may take, including redirects and body',
    ...time('100ms', '5m', '30s'),
  },
  {
    key: 'audit.bodyBytesMax',
    flag: 'audit-body-bytes-max',
    about: 'maximum decoded size of a document in an audit; longer ones are truncated and marked',
    ...size('64KiB', '100MiB', '5MiB'),
    default: 10_000_000,
  },
  {
    key: 'audit.redirectsMax',
    flag: 'audit-redirects',
    about: 'maximum redirects per fetch of an audit',
    ...count(0, 20, 5),
  },
] as const satisfies readonly SettingRow[];
