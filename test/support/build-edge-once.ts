import { buildEdge, isEdgeStale } from '../../scripts/build-edge.mjs';
import { readLocalOptions } from '../../scripts/local-options.mjs';

/** Builds the Worker, including its check, once before the projects that run it. */
export async function setup(): Promise<void> {
  if (isEdgeStale()) await buildEdge();
  await readLocalOptions();
}
