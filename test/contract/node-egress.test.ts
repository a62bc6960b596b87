import { describe } from 'vitest';
import { createDoor } from '../../src/runtimes/node/net.js';
import { egressContract } from './egress-contract.js';

describe('the Node egress', () => {
  egressContract((origin) => createDoor({ allowPrivate: [origin] }).egress);
});
