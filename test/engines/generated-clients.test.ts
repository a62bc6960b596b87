/**
 * Clients generated from the OpenAPI document of a running server compile under `strict` and work against it, and the
 * document passes the common validators.
 */
import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import SwaggerParser from '@apidevtools/swagger-parser';
import { createClient } from '@hey-api/openapi-ts';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { build } from 'esbuild';
import openapiTS, { astToString } from 'openapi-typescript';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Listening, listenHttp } from '../support/listen.js';
import { type ServedForTest, serveForTest } from '../support/serve.js';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
let site: Listening;
let server: ServedForTest;
/** Inside the package, so that its dependencies are found. */
let folder: string;
let document: string;

beforeAll(async () => {
  site = await listenHttp((request, response) => {
    if (request.url === '/missing') return void response.writeHead(404).end('no');
    const cacheControl = request.url === '/left' ? 'no-store' : 'max-age=60';
    response.writeHead(200, { 'content-type': 'text/html', 'cache-control': cacheControl });
    response.end('<!doctype html><html lang=en><title>A page</title><h1>A page</h1></html>');
  });
  server = await serveForTest({
    net: { allowPrivate: [site.origin] },
    proxy: { allow: [`private:${site.origin}/*`], routes: {}, env: () => undefined },
  });
  document = await (await fetch(`${server.url}/openapi.json`)).text();
  folder = mkdtempSync(join(root, 'dist', 'generated-clients-'));
  cpSync(join(root, 'test/fixtures/generated-clients'), folder, { recursive: true });
  writeFileSync(join(folder, 'openapi.json'), document);
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await server.stop();
  await site.close();
});

test('swagger-parser accepts the document', async () => {
  await expect(SwaggerParser.validate(JSON.parse(document))).resolves.toBeDefined();
});

test('the recommended rules of Redocly report nothing', async () => {
  const config = await createConfig({ extends: ['recommended'] });
  const problems = await lintFromString({ source: document, config, absoluteRef: '/openapi.json' });
  expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual(
    [],
  );
});

const GENERATED = {
  'openapi-fetch-tour': async () =>
    writeFileSync(join(folder, 'schema.ts'), astToString(await openapiTS(JSON.parse(document)))),
  'hey-api-tour': () =>
    createClient({
      input: join(folder, 'openapi.json'),
      output: join(folder, 'hey'),
      logs: { level: 'silent' },
    }),
};

test.each(Object.entries(GENERATED))(
  '%s compiles under strict and completes its tour',
  async (name, generate) => {
    await generate();
    const file = join(folder, `${name}.ts`);
    expect(await complaintsOf(file)).toBe('');
    const bundle = join(folder, `${name}.mjs`);
    await build({ entryPoints: [file], outfile: bundle, bundle: true, format: 'esm', platform: 'node' });
    const { tour } = (await import(pathToFileURL(bundle).href)) as Tour;
    expect(await tour(server.url, site.origin)).toMatchObject({
      codes: expect.arrayContaining(['CACHE_HEADER_DRIFT']),
      probes: [
        ['left', true],
        ['right', true],
      ],
      history: expect.arrayContaining([expect.stringMatching(/warn|fail|pass/)]),
      probe: 200,
      score: 'number',
      new: 0,
      created: 201,
      appended: 204,
      read: 'one two',
      proxied: 201,
      upstreamBody: true,
      error: 'JOB_NOT_FOUND',
    });
  },
);

test('a stream written under an encoded slash is read under a plain one', async () => {
  const put = { method: 'PUT', headers: { 'content-type': 'text/plain' }, body: 'same' };
  expect((await fetch(`${server.url}/v1/stream/shelf%2Fone`, put)).status).toBe(201);
  expect(await (await fetch(`${server.url}/v1/stream/shelf/one`)).text()).toBe('same');
  expect((await fetch(`${server.url}/v1/stream/shelf%2fone`, { method: 'DELETE' })).status).toBe(204);
  expect((await fetch(`${server.url}/v1/stream/shelf/one`)).status).toBe(404);
  expect((await fetch(`${server.url}/v1/stream/shelf%2F..%2Fone`)).status).toBe(400);
});

interface Tour {
  tour(server: string, site: string): Promise<Record<string, unknown>>;
}

/** Returns the compiler's complaints. */
async function complaintsOf(file: string): Promise<string> {
  const compilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    target: 'es2022',
    module: 'esnext',
    moduleResolution: 'bundler',
    lib: ['ES2023', 'DOM', 'DOM.Iterable'],
    types: [],
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: [file] }));
  const tsc = join(root, 'node_modules', 'typescript-7', 'bin', 'tsc');
  return promisify(execFile)(process.execPath, [tsc, '-p', folder]).then(
    ({ stdout }) => stdout,
    ({ stdout, stderr }: { stdout: string; stderr: string }) => `${stdout}${stderr}`,
  );
}
