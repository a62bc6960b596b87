import { describe } from 'vitest';
import { openProbeDoor } from '../../src/runtimes/node/probe.js';
import { signalProviderContract } from './signal-provider-contract.js';

describe('the active provider', () => {
  signalProviderContract(async (origin) => openProbeDoor({ allowPrivate: [origin] }));
});
