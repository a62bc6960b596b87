/** Rows of what comparisons and audits may take and keep. */
import type { SettingRow } from '../setting-row.js';

export const COMPARE_ROWS = [
  {
    key: 'compare.probeMs',
    flag: 'probe-ms',
    takes: 'number',
    placeholder: 'TIME',
    about: 'how long one look at a side may take, redirects and body included',
    form: 'a time from 100 to 30s such as 10s, or a number of milliseconds',
    default: '10s',
  },
  {
    key: 'compare.redirectsMax',
    flag: 'probe-redirects',
    takes: 'number',
    placeholder: 'COUNT',
    about: 'redirects that one look at a side follows',
    form: 'a whole number from 0 to 20',
    default: 10,
  },
  {
    key: 'compare.kept',
    flag: 'compare-kept',
    takes: 'number',
    placeholder: 'COUNT',
    about: 'newest comparisons kept of each pair',
    form: 'a whole number from 1 to 10000',
    default: 50,
  },
] as const satisfies readonly SettingRow[];

export const AUDIT_ROWS = [
  {
    key: 'audit.fetchMs',
    flag: 'audit-fetch-ms',
    takes: 'number',
    placeholder: 'TIME',
    about: 'how long one fetch of an audit may take, redirects and body included',
    form: 'a time from 100 to 5m such as 30s, or a number of milliseconds',
    default: '30s',
  },
  {
    key: 'audit.bodyBytesMax',
    flag: 'audit-body-bytes-max',
    takes: 'number',
    placeholder: 'SIZE',
    about: 'decoded bytes of a document that an audit keeps; more is cut off and marked',
    form: 'a size from 64KiB to 100MiB such as 5MiB, or a number of bytes',
    default: 10_000_000,
  },
  {
    key: 'audit.redirectsMax',
    flag: 'audit-redirects',
    takes: 'number',
    placeholder: 'COUNT',
    about: 'redirects that one fetch of an audit follows',
    form: 'a whole number from 0 to 20',
    default: 5,
  },
] as const satisfies readonly SettingRow[];
