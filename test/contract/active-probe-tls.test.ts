/**
 * What the active provider records about TLS: certificates, the handshake that offers h2, and the http variant of an
 * https URL.
 */
import { readFileSync } from 'node:fs';
import { createServer as createHttps } from 'node:https';
import { afterEach, describe, expect, it } from 'vitest';
import type { SignalEnvelope } from '../../src/probe/index.js';
import { openProbeClient, type ProbeClientOptions } from '../../src/runtimes/node/probe.js';
import { type Listening, listenHttp, track } from '../support/listen.js';

const pem = (name: string) => readFileSync(new URL(`../fixtures/tls/${name}.pem`, import.meta.url), 'utf8');

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

function keep<T extends { close(): Promise<void> }>(thing: T): T {
  closing.push(() => thing.close());
  return thing;
}

function probe(url: string, options: ProbeClientOptions): Promise<SignalEnvelope> {
  return keep(openProbeClient(options)).provider.probe(url, { profile: 'full' });
}

const errorOf = ({ result }: SignalEnvelope) => ('error' in result ? result.error : undefined);

describe('over TLS', () => {
  const mapped = (name: string, ports: { https: number; http?: number }): ProbeClientOptions => ({
    ca: pem('ca'),
    allowPrivate: [`https://${name}`, `http://${name}`],
    connectTo: {
      [`${name}:443`]: `127.0.0.1:${ports.https}`,
      ...(ports.http !== undefined && { [`${name}:80`]: `127.0.0.1:${ports.http}` }),
    },
  });

  async function secureSite(): Promise<Listening> {
    const server = createHttps(
      { key: pem('server-key'), cert: pem('server'), ALPNProtocols: ['h2', 'http/1.1'] },
      (_request, response) => response.end('secure'),
    );
    return keep(await track(server, 'https'));
  }

  it('records the certificate, the handshake that offers h2, and the http variant', async () => {
    const site = await secureSite();
    const plain = keep(
      await listenHttp((_request, response) =>
        response.writeHead(301, { location: 'https://app.example.com/' }).end(),
      ),
    );
    const envelope = await probe(
      'https://app.example.com/',
      mapped('app.example.com', { https: site.port, http: plain.port }),
    );
    expect(envelope.certificate).toMatchObject({ subject: 'CN=app.example.com', issuer: 'CN=Sonde test CA' });
    expect(envelope.hops?.[0]).toMatchObject({
      tlsVersion: 'TLSv1.3',
      certificate: { subject: 'CN=app.example.com' },
    });
    expect(envelope.phases?.tls).toBeGreaterThan(0);
    expect(envelope.exchanges?.tls).toMatchObject({ alpn: 'h2', version: 'TLSv1.3', authorized: true });
    expect(envelope.exchanges?.tls?.certificate?.spkiSha256).toMatch(/^[0-9a-f]{64}$/);
    expect(envelope.exchanges?.tls?.chain?.[0]).toEqual({
      subject: 'CN=app.example.com',
      issuer: 'CN=Sonde test CA',
    });
    expect(envelope.exchanges?.httpVariant).toMatchObject({
      status: 301,
      headers: { location: ['https://app.example.com/'] },
    });
  });

  it('a certificate that does not verify fails the probe and is still recorded', async () => {
    const site = await secureSite();
    const { ca: _ca, ...closed } = mapped('app.example.com', { https: site.port });
    const envelope = await probe('https://app.example.com/', closed);
    expect(errorOf(envelope)).toMatchObject({ code: 'tls_error', details: { phase: 'tls' } });
    expect(envelope.exchanges?.tls).toMatchObject({
      authorized: false,
      certificate: { subject: 'CN=app.example.com' },
    });
    expect(envelope.exchanges?.tls?.authorizationError).toMatch(/^[A-Z_]+$/);
    expect(envelope.coverage?.observed).toContain('exchanges.tls');
    expect(envelope.coverage?.observed).not.toContain('exchanges.head');
  });

  it('a downgrade from https to http is refused with its own code and stays in the chain', async () => {
    const server = createHttps({ key: pem('server-key'), cert: pem('server') }, (_request, response) =>
      response.writeHead(302, { location: 'http://app.example.com/' }).end(),
    );
    const site = keep(await track(server, 'https'));
    const envelope = await probe('https://app.example.com/', mapped('app.example.com', { https: site.port }));
    expect(errorOf(envelope)?.code).toBe('redirect_downgrade');
    expect(envelope.result.redirects).toHaveLength(1);
  });
});
