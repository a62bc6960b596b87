/** Reads the paths of a suite from its request: a list, or one OpenAPI document or HAR recording, or one per side. */
import * as z from 'zod';
import {
  type Finding,
  pathsFromList,
  pathsFromOpenApi,
  recordedPaths,
  routeSetFinding,
  SUITE_PATHS_MAX,
} from '../../compare/index.js';
import { invalidField } from '../../kernel/invalid-request.js';
import { HAR_LIMITS, readHar } from '../../probe/index.js';

const Document = z.record(z.string(), z.unknown());
const Documents = z.union([z.strictObject({ left: Document, right: Document }), Document]);

/** A request has exactly one of these. */
export const PathSources = {
  paths: z
    .array(z.string().min(1).max(2000))
    .min(1)
    .max(SUITE_PATHS_MAX)
    .optional()
    .describe('Paths to compare, each below both sides.'),
  sitemap: z
    .string()
    .min(1)
    .max(8192)
    .optional()
    .describe('A path on both sides, or a URL. The paths that both sitemaps list are compared.'),
  openapi: Documents.optional().describe(
    'An OpenAPI document, or one per side. References to other documents are refused.',
  ),
  har: Documents.optional().describe('A HAR recording, or one per side. Only its paths are used.'),
};

export type GivenSources = z.output<z.ZodObject<typeof PathSources>>;

export interface GivenPaths {
  readonly paths: readonly string[];
  readonly findings: readonly Finding[];
  readonly notes: readonly string[];
}

/** Returns undefined if the paths come from a sitemap, which the suite's job fetches. */
export async function readGivenPaths(
  sources: GivenSources,
  names: Parameters<typeof routeSetFinding>[2],
): Promise<GivenPaths | undefined> {
  const { paths, sitemap, openapi, har } = sources;
  if ([paths, sitemap, openapi, har].filter((each) => each !== undefined).length !== 1) {
    throw invalidField('body.paths', 'body.paths: give exactly one of paths, sitemap, openapi and har');
  }
  if (sitemap !== undefined) return undefined;
  if (paths) return { ...pathsFromList(paths.join('\n')), findings: [], notes: [] };
  const read = openapi ? openapiPaths : harPaths;
  const [left, right] = sidesOf(openapi ?? har ?? {});
  const a = await read(left);
  if (right === undefined) return refuseEmpty({ ...a, findings: [] });
  const b = await read(right);
  const finding = routeSetFinding(a.paths, b.paths, names);
  const known = new Set(b.paths);
  return refuseEmpty({
    paths: a.paths.filter((path) => known.has(path)),
    findings: finding ? [finding] : [],
    notes: [...a.notes, ...b.notes],
  });
}

function sidesOf(given: z.output<typeof Documents>): readonly [unknown, unknown?] {
  return Object.keys(given).length === 2 && 'left' in given && 'right' in given
    ? [given['left'], given['right']]
    : [given];
}

type FoundPaths = Omit<GivenPaths, 'findings'>;

async function openapiPaths(document: unknown): Promise<FoundPaths> {
  const { paths, skipped } = pathsFromOpenApi(document);
  return { paths, notes: skipped.map(({ path, why }) => `openapi: ${path} ${why}`) };
}

async function harPaths(document: unknown): Promise<FoundPaths> {
  const bytes = new TextEncoder().encode(JSON.stringify(document));
  const archive = await readHar(
    (async function* () {
      yield bytes;
    })(),
    HAR_LIMITS,
  );
  return { paths: recordedPaths(archive).map(({ path }) => path), notes: [] };
}

function refuseEmpty(found: GivenPaths): GivenPaths {
  if (found.paths.length === 0) throw invalidField('body.paths', 'body.paths: there are no paths to compare');
  return found;
}
