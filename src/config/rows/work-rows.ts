/** Settings of comparisons and audits: limits and retention. */
import type { SettingRow } from '../setting-row.js';

export const COMPARE_ROWS = [
  {
    key: 'compare.probeMs',
    flag: 'probe-ms',
    takes: 'number',
    placeholder: 'TIME',
    about: 'how long one probe may take, including redirects and body',
    form: 'a time from 100ms to 30s such as 10s, or a number of milliseconds',
    default: '10s',
  },
  {
    key: 'compare.redirectsMax',
    flag: 'probe-redirects',
    takes: 'number',
    placeholder: 'COUNT',
    about: 'maximum redirects per probe',
    form: 'a whole number from 0 to 20',
    default: 10,
  },
  {
    key: 'compare.kept',
    flag: 'compare-kept',
    takes: 'number',
    placeholder: 'COUNT',
    about: 'comparisons kept per pair of environments',
    form: 'a whole number from 1 to 10000',
    default: 50,
  },
  {
    key: 'compare.retentionMs',
    flag: 'compare-retention-ms',
    takes: 'number',
    placeholder: 'TIME',
    about: 'how long finished comparisons and suites are kept',
    form: 'a time from 1m to 3650d such as 90d, or a number of milliseconds',
    default: '90d',
  },
] as const satisfies readonly SettingRow[];

export const AUDIT_ROWS = [
  {
    key: 'audit.fetchMs',
    flag: 'audit-fetch-ms',
    takes: 'number',
    placeholder: 'TIME',
    about: 'how long one fetch of an audit may take, including redirects and body',
    form: 'a time from 100ms to 5m such as 30s, or a number of milliseconds',
    default: '30s',
  },
  {
    key: 'audit.bodyBytesMax',
    flag: 'audit-body-bytes-max',
    takes: 'number',
    placeholder: 'SIZE',
    about: 'maximum decoded size of a document in an audit; longer ones are truncated and marked',
    form: 'a size from 64KiB to 100MiB such as 5MiB, or a number of bytes',
    default: 10_000_000,
  },
  {
    key: 'audit.redirectsMax',
    flag: 'audit-redirects',
    takes: 'number',
    placeholder: 'COUNT',
    about: 'maximum redirects per fetch of an audit',
    form: 'a whole number from 0 to 20',
    default: 5,
  },
] as const satisfies readonly SettingRow[];
