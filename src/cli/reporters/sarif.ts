/**
 * SARIF 2.1.0 for code scanning. Results have fingerprints, so that a platform can match them between runs. Members of
 * the document that are undefined are left out.
 */
import { wellFormed } from '../../well-formed.js';
import type { ReportedFinding } from './reported-finding.js';

export interface SarifRule {
  readonly id: string;
  readonly title: string;
  readonly category: string;
  readonly about?: string | undefined;
  readonly fix?: string | undefined;
  /** If it is the same for all findings of the rule. */
  readonly severity?: ReportedFinding['severity'];
  readonly docsUrl: string;
}

/** A page or file, relative to the examined site if it belongs to it. */
export interface Place {
  readonly uri: string;
  readonly isOwn: boolean;
  readonly line?: number | undefined;
}

export interface SarifResult extends Omit<ReportedFinding, 'title'> {
  readonly rule: string;
  readonly places: readonly Place[];
  /** Further places with the same finding. */
  readonly also?: readonly Place[] | undefined;
  readonly occurrenceCount?: number;
  readonly partialFingerprints: Readonly<Record<string, string>>;
  /** An accepted finding is a suppressed result, not a missing one. */
  readonly suppressions?: readonly { readonly kind: 'external'; readonly justification: string }[];
  readonly properties?: object;
}

interface SarifRun {
  readonly product: 'audit' | 'compare';
  readonly version: string;
  /** Places of the site are relative to it. */
  readonly origin: string | undefined;
  readonly rules: readonly SarifRule[];
  readonly results: readonly SarifResult[];
  /** As SARIF spells it. */
  readonly invocation: Readonly<Record<string, unknown>>;
  readonly properties: object;
}

const LEVELS = { critical: 'error', error: 'error', warn: 'warning', info: 'note' } as const;
const BASE = 'SITE';

export function sarif({ product, version, origin, rules, results, ...run }: SarifRun): string {
  const indexes = new Map(rules.map(({ id }, index) => [id, index]));
  const document = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'Sonde', version, rules: rules.map(ruleOf) } },
        automationDetails: { id: `sonde-${product}/` },
        ...(origin !== undefined && { originalUriBaseIds: { [BASE]: { uri: `${origin}/` } } }),
        columnKind: 'utf16CodeUnits',
        invocations: [run.invocation],
        results: results.map((result) => resultOf(result, indexes.get(result.rule))),
        properties: run.properties,
      },
    ],
  };
  return `${JSON.stringify(document)}\n`;
}

function ruleOf({ id, title, about, fix, severity, docsUrl, category }: SarifRule) {
  return {
    id,
    shortDescription: { text: title },
    fullDescription: about === undefined ? about : { text: about },
    help: fix === undefined ? fix : { text: fix },
    helpUri: docsUrl,
    defaultConfiguration: severity && { level: LEVELS[severity] },
    properties: { category },
  };
}

function resultOf(result: SarifResult, ruleIndex: number | undefined) {
  const { rule, severity, text, places, also, occurrenceCount, partialFingerprints, ...rest } = result;
  return {
    ...{ ruleId: rule, ruleIndex, level: LEVELS[severity], message: { text } },
    ...{ locations: places.map(locationOf), occurrenceCount },
    relatedLocations: also?.map((place, at) => ({ id: at + 1, ...locationOf(place) })),
    partialFingerprints,
    ...rest,
  };
}

/** What a URI must not contain, and a percent sign that encodes nothing: one of them would invalidate the document. */
const NOT_IN_URIS = /%(?![\da-f]{2})|[^!#$%&'()*+,./\d:;=?@a-z_~-]/giu;
const IPV6_HOST = /^(https?:\/\/)%5B([\da-f:.]+)%5D/i;

function locationOf({ uri: given, isOwn, line = 0 }: Place) {
  const encoded = wellFormed(given).replace(NOT_IN_URIS, encodeURIComponent);
  const uri = encoded.replace(IPV6_HOST, '$1[$2]');
  return {
    physicalLocation: {
      artifactLocation: { uri: uri === '' ? '.' : uri, uriBaseId: isOwn ? BASE : undefined },
      region: line > 0 ? { startLine: line } : undefined,
    },
  };
}
