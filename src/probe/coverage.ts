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

export class CoverageBuilder {
  readonly #observed = new Set<CoverageSection>();
  readonly #gaps = new Map<CoverageSection, CoverageGap>();

  addObserved(...sections: readonly CoverageSection[]): this {
    for (const section of sections) this.#observed.add(section);
    return this;
  }

  addGap(gap: CoverageGap, ...sections: readonly CoverageSection[]): this {
    for (const section of sections) this.#gaps.set(section, gap);
    return this;
  }

  add(isObserved: boolean, section: CoverageSection, gap: CoverageGap): this {
    return isObserved ? this.addObserved(section) : this.addGap(gap, section);
  }

  build(): Coverage {
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

/** The parts of an envelope that hold what a probe observed. */
export type ProbeFacts = Pick<
  SignalEnvelope,
  'cf' | 'result' | 'phases' | 'protocol' | 'address' | 'certificate' | 'body' | 'exchanges' | 'resources'
>;

export interface ProbeSettings {
  readonly profile: ProbeProfile;
  readonly wantsExchanges: boolean;
  readonly hasInspector: boolean;
  readonly secure: boolean;
}

const HEADER_SECTIONS = ['status', 'redirects', 'headers.core', 'challenge', 'timing'] as const;
const FULL_SECTIONS = ['headers.extended', 'headers.names', 'cookies'] as const;

export function activeCoverage(facts: ProbeFacts, settings: ProbeSettings): Coverage {
  const coverage = new CoverageBuilder().addObserved('outcome');
  addResources(coverage, facts, settings);
  for (const section of ['cf', 'phases', 'address', 'protocol', 'certificate'] as const) {
    const applies = section !== 'certificate' || settings.secure;
    coverage.add(facts[section] !== undefined, section, applies ? 'platform' : 'not-applicable');
  }
  if ('response' in facts.result) addResponse(coverage.addObserved(...HEADER_SECTIONS), facts, settings);
  else coverage.addGap('failed', ...HEADER_SECTIONS, ...FULL_SECTIONS, 'body', 'body.content');
  addExchanges(coverage, facts.exchanges, settings);
  return coverage.build();
}

/** Only a page has assets, and they are checked together with the exchanges. */
function addResources(
  coverage: CoverageBuilder,
  { resources, body }: ProbeFacts,
  { wantsExchanges }: ProbeSettings,
): void {
  if (resources) coverage.addObserved('resources');
  else coverage.addGap(body?.kind === 'html' && !wantsExchanges ? 'profile' : 'not-applicable', 'resources');
}

function addResponse(coverage: CoverageBuilder, { body }: ProbeFacts, { profile }: ProbeSettings): void {
  if (profile === 'core') {
    coverage.addGap('profile', ...FULL_SECTIONS, 'body', 'body.content');
    return;
  }
  coverage.addObserved(...FULL_SECTIONS);
  coverage.add(body !== undefined && !body.error, 'body', body ? 'failed' : 'not-applicable');
  const cut = body !== undefined && body.kind === 'json' && body.truncated;
  coverage.add(body !== undefined && !body.error && !cut, 'body.content', cut ? 'budget' : 'failed');
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

function addExchanges(
  coverage: CoverageBuilder,
  exchanges: Exchanges | undefined,
  settings: ProbeSettings,
): void {
  for (const [name, section] of EXCHANGE_SECTIONS) {
    const found = exchanges?.[name];
    if (!settings.wantsExchanges) coverage.addGap('profile', section);
    else if (found === undefined) coverage.addGap(gapOf(name, exchanges, settings), section);
    else if (name === 'origins') coverage.add(bothResponded(exchanges), section, 'failed');
    else coverage.add(!('error' in found), section, 'failed');
  }
}

function bothResponded(exchanges: Exchanges | undefined): boolean {
  const origins = exchanges?.origins ?? [];
  return origins.length === 2 && origins.every(({ error }) => error === undefined);
}

function gapOf(
  name: (typeof EXCHANGE_NAMES)[number],
  exchanges: Exchanges | undefined,
  settings: ProbeSettings,
): CoverageGap {
  if (name === 'dns' || name === 'tls') return settings.hasInspector ? 'not-applicable' : 'platform';
  if (name === 'conditional' || name === 'httpVariant') return 'not-applicable';
  return exchanges === undefined || exchanges.requests === 0 ? 'failed' : 'budget';
}
