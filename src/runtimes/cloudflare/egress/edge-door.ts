/** The guarded door at the edge, ready to use. */
import {
  createPolicy,
  type Door,
  type DoorPolicy,
  doorOver,
  USER_AGENT_DEFAULT,
} from '../../../net/index.js';
import { createDohResolver } from './doh-resolver.js';
import { createEdgeEgress } from './edge-egress.js';

export interface EdgeDoorOptions extends Pick<DoorPolicy, 'allowPrivate'> {
  readonly dohUrl: string;
  readonly userAgent?: string;
}

export function createEdgeDoor({ dohUrl, allowPrivate = [], userAgent }: EdgeDoorOptions): Door {
  return doorOver(
    createEdgeEgress({
      policy: createPolicy({ allowPrivate }),
      resolver: createDohResolver(dohUrl),
      userAgent: userAgent ?? USER_AGENT_DEFAULT,
    }),
  );
}
