import { build, isStale } from '../../scripts/build.mjs';

/** Builds dist/ once before the projects that start the real program. */
export async function setup(): Promise<void> {
  if (isStale()) await build();
}
