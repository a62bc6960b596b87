import { buildEdge } from '../../scripts/build-edge.mjs';

/** Builds the Worker once, and with it its check, before the projects that run it. */
export async function setup(): Promise<void> {
  await buildEdge();
}
