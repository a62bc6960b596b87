import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import { compileRoutes } from '../proxy/index.js';
import { configSchema } from './config-schema.js';
import { SETTING_SCHEMAS } from './settings.js';

test.each([
  [{ up: { url: 'https://a.example' } }, false],
  [{ up: { url: 'https://a.example', credential: 'caller' } }, true],
  [{ up: { url: 'https://a.example', credential: 'env:KEY' } }, true],
  [{ up: { url: 'https://a.example', credential: 'KEY' } }, false],
  [{ up: { url: 'https://a.example/?x', credential: 'caller' } }, false],
  [{ up: { url: 'ftp://a.example', credential: 'caller' } }, false],
  [{ 'Not a name': { url: 'https://a.example', credential: 'caller' } }, false],
])('routes %j are valid both in editors and for the loader: %s', (routes, valid) => {
  const validate = new Ajv({ validateFormats: false }).compile(configSchema());
  expect(validate({ proxy: { routes } })).toBe(valid);
  const load = () =>
    compileRoutes(SETTING_SCHEMAS['proxy.routes'].parse(routes), { authenticated: true, env: () => 'key' });
  if (valid) expect(load().size).toBe(1);
  else expect(load).toThrow();
});

test('routes need no credential on a server without authentication', () => {
  const validate = new Ajv({ validateFormats: false }).compile(configSchema());
  const routes = { up: { url: 'https://a.example' } };
  expect(validate({ server: { auth: 'none' }, proxy: { routes } })).toBe(true);
  expect(compileRoutes(routes, { authenticated: false, env: () => undefined }).size).toBe(1);
});

test('allows no unknown keys and describes every setting', () => {
  const schema = JSON.parse(JSON.stringify(configSchema()));
  expect(schema.additionalProperties).toBe(false);
  for (const group of ['server', 'auth', 'net', 'log']) {
    expect(schema.properties[group].additionalProperties).toBe(false);
    for (const property of Object.values<{ description?: string }>(schema.properties[group].properties)) {
      expect(property.description).toMatch(/Flag --[\w-]+, variable SONDE_\w+\.$/);
    }
  }
});
