import { describe } from 'vitest';
import { createOutboundClient } from '../../src/runtimes/node/net.js';
import { egressContract } from './egress-contract.js';

describe('the Node egress', () => {
  egressContract((origin) => createOutboundClient({ allowPrivate: [origin] }).egress);
});
