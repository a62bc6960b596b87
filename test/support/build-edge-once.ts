import { buildEdge, isEdgeStale } from '../../scripts/build-edge.mjs';
import { readLocalOptions } from '../../scripts/local-options.mjs';

/** Builds the Worker once, and with it its check, before the projects that run it. */
export async function setup(): Promise<void> {
  if (isEdgeStale()) await buildEdge();
  await readLocalOptions();
}
