import { describe } from 'vitest';
import { openProbeClient } from '../../src/runtimes/node/probe.js';
import { signalProviderContract } from './signal-provider-contract.js';

describe('the active provider', () => {
  signalProviderContract(async (origin) => openProbeClient({ allowPrivate: [origin] }));
});
