import { describe } from 'vitest';
import { createHarProvider, readHar } from '../../src/probe/index.js';
import { recordHar } from '../support/record-har.js';
import { CONTRACT_PATHS, signalProviderContract } from './signal-provider-contract.js';

describe('the HAR provider', () => {
  signalProviderContract(async (origin) => {
    const har = await recordHar(CONTRACT_PATHS.map((path) => `${origin}${path}`));
    const archive = await readHar([new TextEncoder().encode(har)]);
    return { provider: createHarProvider(archive), close: async () => {} };
  });
});
