/**
 * Which facts of an envelope belong to which section of its coverage. `observedOnly` removes the facts of every section
 * that was not observed, so a rule cannot mistake "not observed" for "the site does not send it". The outcome, the
 * status, the redirects and the timing are the result itself; only a rule's `inputs` guard them.
 */
import type { Mutable } from '../mutable.js';
import {
  type BodyFacts,
  COVERAGE_SECTIONS,
  type CoverageSection,
  type ResponseHeaders,
  type SignalEnvelope,
} from '../probe/index.js';

/** The sections that are the result of a probe, present as soon as there is a response. */
export const RESULT_SECTIONS = ['outcome', 'status', 'redirects', 'timing'] as const;

export type FactSection = Exclude<CoverageSection, (typeof RESULT_SECTIONS)[number]>;

type Draft = Mutable<SignalEnvelope>;
type HeadersDraft = Mutable<ResponseHeaders>;

interface Facts {
  has(envelope: SignalEnvelope): boolean;
  /** Replaces the draft's facts of this section; without a source they are removed. */
  take(draft: Draft, source: SignalEnvelope | undefined): void;
}

type Member = 'cookies' | 'phases' | 'protocol' | 'address' | 'resources' | 'cf';

const member = (name: Member): Facts => ({
  has: (envelope) => envelope[name] !== undefined,
  take: (draft, source) => assign(draft, name, source?.[name]),
});

type ExchangeName = Exclude<keyof NonNullable<SignalEnvelope['exchanges']>, 'requests' | 'durationMs'>;

const exchange = (name: ExchangeName): Facts => ({
  has: ({ exchanges }) => exchanges?.[name] !== undefined,
  take(draft, source) {
    const exchanges: Mutable<NonNullable<SignalEnvelope['exchanges']>> = {
      requests: 0,
      durationMs: 0,
      ...draft.exchanges,
    };
    assign(exchanges, name, source?.exchanges?.[name]);
    draft.exchanges = exchanges;
  },
});

const header = (
  has: (headers: ResponseHeaders) => boolean,
  take: (draft: HeadersDraft, source: ResponseHeaders | undefined) => void,
): Facts => ({
  has(envelope) {
    const headers = headersOf(envelope);
    return headers !== undefined && has(headers);
  },
  take(draft, source) {
    const { result } = draft;
    if (!('response' in result)) return;
    const headers: HeadersDraft = { ...result.response.headers };
    take(headers, source && headersOf(source));
    draft.result = { ...result, response: { ...result.response, headers } };
  },
});

const CHALLENGE = 'www-authenticate';

/** What is read from the content of a body, as opposed to its size and hashes. */
const CONTENT = ['json', 'html', 'text', 'origins', 'markers'] as const satisfies (keyof BodyFacts)[];
const HASHES = ['sha256', 'normalizedSha256', 'normalizedChars'] as const satisfies (keyof BodyFacts)[];

const FACTS: Readonly<Record<FactSection, Facts>> = {
  'headers.core': header(
    ({ core, accessControl }) =>
      accessControl !== undefined || Object.keys(core).some((name) => name !== CHALLENGE),
    (draft, source) => {
      draft.core = { ...source?.core, ...pick(draft.core, CHALLENGE, draft.core[CHALLENGE]) };
      assign(draft, 'accessControl', source?.accessControl);
    },
  ),
  challenge: header(
    ({ core }) => core[CHALLENGE] !== undefined,
    (draft, source) => {
      draft.core = pick(draft.core, CHALLENGE, source?.core[CHALLENGE]);
    },
  ),
  'headers.extended': header(
    ({ extended }) => extended !== undefined,
    (draft, source) => assign(draft, 'extended', source?.extended),
  ),
  'headers.names': header(
    ({ otherNames }) => otherNames !== undefined,
    (draft, source) => assign(draft, 'otherNames', source?.otherNames),
  ),
  cookies: member('cookies'),
  phases: member('phases'),
  protocol: member('protocol'),
  address: member('address'),
  certificate: {
    has: ({ certificate, hops }) =>
      certificate !== undefined || hops?.some((hop) => hop.certificate !== undefined) === true,
    take(draft, source) {
      assign(draft, 'certificate', source?.certificate);
      if (draft.hops) draft.hops = draft.hops.map(({ certificate: _, ...hop }) => hop);
    },
  },
  body: {
    has: ({ body, result }) =>
      (body !== undefined && HASHES.some((name) => body[name] !== undefined)) ||
      ('response' in result && result.response.bodyHash !== undefined),
    take(draft, source) {
      const content = draft.body && CONTENT.some((name) => draft.body?.[name] !== undefined);
      // The size and the kind stay for those who read the content.
      if (source || !content) assign(draft, 'body', source?.body);
      else if (draft.body) draft.body = without(draft.body, HASHES);
      takeBodyHash(draft, source);
    },
  },
  'body.content': {
    has: ({ body }) => body !== undefined && CONTENT.some((name) => body[name] !== undefined),
    take(draft, source) {
      const body = draft.body ?? source?.body;
      if (!body) return;
      const plain: Mutable<BodyFacts> = without(body, CONTENT);
      for (const name of CONTENT) assign(plain, name, source?.body?.[name]);
      draft.body = plain;
    },
  },
  'exchanges.preflight': exchange('preflight'),
  'exchanges.origins': exchange('origins'),
  'exchanges.head': exchange('head'),
  'exchanges.options': exchange('options'),
  'exchanges.conditional': exchange('conditional'),
  'exchanges.httpVariant': exchange('httpVariant'),
  'exchanges.robots': exchange('robots'),
  'exchanges.dns': exchange('dns'),
  'exchanges.tls': exchange('tls'),
  resources: member('resources'),
  cf: member('cf'),
};

export const FACT_SECTIONS = Object.keys(FACTS) as readonly FactSection[];

/** A set of sections as bits, because sets of them are compared for every rule and pair of samples. */
export type SectionBits = number;

const BITS = Object.fromEntries(COVERAGE_SECTIONS.map((section, at) => [section, 1 << at])) as Readonly<
  Record<CoverageSection, SectionBits>
>;

export function bitsOf(sections: Iterable<CoverageSection>): SectionBits {
  let bits = 0;
  for (const section of sections) bits |= BITS[section];
  return bits;
}

export function hasSection(bits: SectionBits, section: CoverageSection): boolean {
  return (bits & BITS[section]) !== 0;
}

export function sectionsIn(bits: SectionBits): readonly CoverageSection[] {
  return COVERAGE_SECTIONS.filter((section) => hasSection(bits, section));
}

/** Sections with facts of their own, which can be removed from an envelope. */
export const FACT_BITS = bitsOf(FACT_SECTIONS);
/** What is parsed and cached for a sample depends on these. */
export const PARSED_BITS = bitsOf([
  'headers.core',
  'headers.extended',
  'headers.names',
  'challenge',
  'cookies',
  'body',
  'body.content',
]);

/** The envelope without the facts of sections that were not observed; itself if it has none. */
export function observedOnly(envelope: SignalEnvelope, observed: SectionBits): SignalEnvelope {
  if ((FACT_BITS & ~observed) === 0) return envelope;
  let draft: Draft | undefined;
  for (const section of FACT_SECTIONS) {
    if ((observed & BITS[section]) !== 0 || !FACTS[section].has(draft ?? envelope)) continue;
    draft ??= { ...envelope };
    FACTS[section].take(draft, undefined);
  }
  return draft ?? envelope;
}

/** The envelope with the facts of the given sections taken from other envelopes of the same side. */
export function withFactsOf(
  envelope: SignalEnvelope,
  sources: ReadonlyMap<FactSection, SignalEnvelope>,
): SignalEnvelope {
  const draft: Draft = { ...envelope };
  for (const section of FACT_SECTIONS) {
    const source = sources.get(section);
    if (source) FACTS[section].take(draft, source);
  }
  return draft;
}

function headersOf({ result }: SignalEnvelope): ResponseHeaders | undefined {
  return 'response' in result ? result.response.headers : undefined;
}

function takeBodyHash(draft: Draft, source: SignalEnvelope | undefined): void {
  const { result } = draft;
  if (!('response' in result)) return;
  const response = { ...result.response };
  const hash = source && 'response' in source.result ? source.result.response.bodyHash : undefined;
  assign(response, 'bodyHash', hash);
  draft.result = { ...result, response };
}

function pick(core: ResponseHeaders['core'], name: typeof CHALLENGE, value: string | undefined) {
  const { [name]: _, ...others } = core;
  return value === undefined ? others : { ...others, [name]: value };
}

function without<T extends object, K extends keyof T>(object: T, names: readonly K[]): Mutable<T> {
  const copy = { ...object } as Mutable<T>;
  for (const name of names) delete copy[name];
  return copy;
}

function assign<T extends object, K extends keyof T>(object: T, name: K, value: T[K] | undefined): void {
  if (value === undefined) delete object[name];
  else object[name] = value;
}
