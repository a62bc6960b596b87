/** Formats an envelope for a terminal: first the outcome, then the redirects, then what was observed. */
import { oneLine } from '../printable.js';
import type { ProbeResult, SignalEnvelope } from '../probe/index.js';
import type { Paint } from './paint.js';

export function describeEnvelope(envelope: SignalEnvelope, paint: Paint): string {
  const { result } = envelope;
  const lines = [headline(result, paint, envelope.requestedUrl)];
  for (const { status, toUrl } of result.redirects ?? []) lines.push(`  ${status} → ${toUrl}`);
  if ('error' in result) lines.push(row('reason', result.error.message));
  else lines.push(...responseLines(envelope));
  lines.push(...connectionLines(envelope), ...exchangeLines(envelope));
  const gaps = Object.entries(envelope.coverage?.gaps ?? {}).filter(([, gap]) => gap !== 'not-applicable');
  if (gaps.length > 0) {
    lines.push(row('not seen', paint('muted', gaps.map(([name, gap]) => `${name} (${gap})`).join(', '))));
  }
  return lines.map(oneLine).join('\n');
}

function headline(result: ProbeResult, paint: Paint, url: string): string {
  const took = result.durationMs === undefined ? '' : `  ${milliseconds(result.durationMs)}`;
  if ('error' in result) return `${paint('critical', result.error.code)}  ${url}${took}`;
  const { status } = result.response;
  const meaning = status < 400 ? 'pass' : status < 500 ? 'warn' : 'critical';
  return `${paint(meaning, String(status))}  ${url}${took}`;
}

function responseLines({ result, cookies, body }: SignalEnvelope): string[] {
  if (!('response' in result)) return [];
  const { headers } = result.response;
  const pairs = [
    ...Object.entries(headers.core),
    ...Object.entries(headers.accessControl ?? {}),
    ...Object.entries(headers.extended ?? {}).map(([name, lines]) => [name, lines.join(', ')] as const),
  ];
  const width = Math.max(8, ...pairs.map(([name]) => name.length));
  return [
    ...pairs.map(([name, value]) => row(name, value, width)),
    ...(headers.otherNames?.length ? [row('also', headers.otherNames.join(', '), width)] : []),
    ...(cookies?.length ? [row('cookies', cookies.map(({ name }) => name).join(', '), width)] : []),
    ...(body
      ? [row('body', `${body.kind}, ${body.bytes} bytes${body.truncated ? ', cut' : ''}`, width)]
      : []),
  ];
}

function connectionLines({ address, protocol, certificate, phases }: SignalEnvelope): string[] {
  const timed = Object.entries(phases ?? {}).map(([name, ms]) => `${name} ${milliseconds(ms)}`);
  return [
    ...(address ? [row('address', `${address.ip}${protocol === undefined ? '' : `, ${protocol}`}`)] : []),
    ...(certificate ? [row('tls', `${certificate.subject}, until ${certificate.validTo}`)] : []),
    ...(timed.length > 0 ? [row('phases', timed.join(', '))] : []),
  ];
}

function exchangeLines({ exchanges }: SignalEnvelope): string[] {
  if (!exchanges) return [];
  const { preflight, head, options, conditional, httpVariant, robots, origins = [], tls, dns } = exchanges;
  const requests = { preflight, head, options, conditional, http: httpVariant, robots };
  const outcomes = [
    ...Object.entries(requests).flatMap(([name, found]) =>
      found ? [`${name} ${found.status ?? found.error?.code}`] : [],
    ),
    ...origins.map(({ relation, status, error }) => `origin (${relation}) ${status ?? error?.code}`),
    ...(tls ? [`alpn ${tls.alpn ?? tls.error?.code ?? 'none'}`] : []),
    ...(dns ? [`dns ${[...(dns.a ?? []), ...(dns.aaaa ?? [])].join(' ') || dns.error?.code}`] : []),
  ];
  return outcomes.length > 0 ? [row('asked', outcomes.join(', '))] : [];
}

function row(name: string, text: string, width = 8): string {
  return `  ${name.padEnd(width)}  ${text}`;
}

function milliseconds(ms: number): string {
  return ms >= 100 ? `${Math.round(ms)} ms` : `${ms.toFixed(1)} ms`;
}
