/** Which sections an active probe observed, and why the others are missing. */
import type { Exchanges } from './exchange-facts.js';
import {
  COVERAGE_SECTIONS,
  type Coverage,
  type CoverageGap,
  type CoverageSection,
  type ProbeProfile,
  type SignalEnvelope,
} from './signal-envelope.js';

export class CoverageNotes {
  readonly #observed = new Set<CoverageSection>();
  readonly #gaps = new Map<CoverageSection, CoverageGap>();

  saw(...sections: readonly CoverageSection[]): this {
    for (const section of sections) this.#observed.add(section);
    return this;
  }

  missed(gap: CoverageGap, ...sections: readonly CoverageSection[]): this {
    for (const section of sections) this.#gaps.set(section, gap);
    return this;
  }

  /** The first argument decides which it was. */
  note(seen: boolean, section: CoverageSection, gap: CoverageGap): this {
    return seen ? this.saw(section) : this.missed(gap, section);
  }

  coverage(): Coverage {
    const observed: CoverageSection[] = [];
    let gaps: Partial<Record<CoverageSection, CoverageGap>> | undefined;
    for (const section of COVERAGE_SECTIONS) {
      if (this.#observed.has(section)) {
        observed.push(section);
        continue;
      }
      const gap = this.#gaps.get(section);
      if (gap === undefined) continue;
      gaps ??= {};
      gaps[section] = gap;
    }
    return gaps ? { observed, gaps } : { observed };
  }
}

/** What a probe found out, as the envelope holds it. */
export type ProbeFacts = Pick<
  SignalEnvelope,
  'cf' | 'result' | 'phases' | 'protocol' | 'address' | 'certificate' | 'body' | 'exchanges' | 'resources'
>;

export interface ProbeManner {
  readonly profile: ProbeProfile;
  readonly wantsExchanges: boolean;
  readonly hasInspector: boolean;
  readonly secure: boolean;
}

const HEADER_SECTIONS = ['status', 'redirects', 'headers.core', 'challenge', 'timing'] as const;
const FULL_SECTIONS = ['headers.extended', 'headers.names', 'cookies'] as const;

export function activeCoverage(facts: ProbeFacts, manner: ProbeManner): Coverage {
  const notes = new CoverageNotes().saw('outcome');
  noteResources(notes, facts, manner);
  notes.note(facts.cf !== undefined, 'cf', 'platform');
  notes.note(facts.phases !== undefined, 'phases', 'platform');
  notes.note(facts.address !== undefined, 'address', 'platform');
  notes.note(facts.protocol !== undefined, 'protocol', 'platform');
  notes.note(facts.certificate !== undefined, 'certificate', manner.secure ? 'platform' : 'not-applicable');
  const hasResponse = 'response' in facts.result;
  if (!hasResponse) notes.missed('failed', ...HEADER_SECTIONS, ...FULL_SECTIONS, 'body', 'body.content');
  else noteResponse(notes.saw(...HEADER_SECTIONS), facts, manner);
  noteExchanges(notes, facts.exchanges, manner);
  return notes.coverage();
}

/** Only a page has assets, and they are checked together with the exchanges. */
function noteResources(
  notes: CoverageNotes,
  { resources, body }: ProbeFacts,
  { wantsExchanges }: ProbeManner,
): void {
  if (resources) notes.saw('resources');
  else notes.missed(body?.kind === 'html' && !wantsExchanges ? 'profile' : 'not-applicable', 'resources');
}

function noteResponse(notes: CoverageNotes, { body }: ProbeFacts, { profile }: ProbeManner): void {
  if (profile === 'core') {
    notes.missed('profile', ...FULL_SECTIONS, 'body', 'body.content');
    return;
  }
  notes.saw(...FULL_SECTIONS);
  notes.note(body !== undefined && !body.error, 'body', body ? 'failed' : 'not-applicable');
  const cut = body !== undefined && body.kind === 'json' && body.truncated;
  notes.note(body !== undefined && !body.error && !cut, 'body.content', cut ? 'budget' : 'failed');
}

const EXCHANGE_NAMES = [
  'preflight',
  'origins',
  'head',
  'options',
  'conditional',
  'httpVariant',
  'robots',
  'dns',
  'tls',
] as const;

const EXCHANGE_SECTIONS = EXCHANGE_NAMES.map((name) => [name, `exchanges.${name}`] as const);

function noteExchanges(notes: CoverageNotes, exchanges: Exchanges | undefined, manner: ProbeManner): void {
  for (const [name, section] of EXCHANGE_SECTIONS) {
    const found = exchanges?.[name];
    if (!manner.wantsExchanges) notes.missed('profile', section);
    else if (found === undefined) notes.missed(absence(name, exchanges, manner), section);
    else if (name === 'origins') notes.note(bothResponded(exchanges), section, 'failed');
    else notes.note(!('error' in found), section, 'failed');
  }
}

function bothResponded(exchanges: Exchanges | undefined): boolean {
  const origins = exchanges?.origins ?? [];
  return origins.length === 2 && origins.every(({ error }) => error === undefined);
}

function absence(
  name: (typeof EXCHANGE_NAMES)[number],
  exchanges: Exchanges | undefined,
  manner: ProbeManner,
): CoverageGap {
  if (name === 'dns' || name === 'tls') {
    if (!manner.hasInspector) return 'platform';
    return 'not-applicable';
  }
  if (name === 'conditional' || name === 'httpVariant') return 'not-applicable';
  return exchanges === undefined || exchanges.requests === 0 ? 'failed' : 'budget';
}
