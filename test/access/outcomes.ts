/** What requests led to, as lines of a recording: `  body | another body → outcome: caller, another caller`. */
export class Outcomes {
  /** By request, then by outcome. */
  readonly #callers = new Map<string, Map<string, string[]>>();

  add(request: string, outcome: string, caller: string): void {
    const outcomes = this.#callers.get(request) ?? new Map<string, string[]>();
    this.#callers.set(request, outcomes);
    outcomes.set(outcome, [...(outcomes.get(outcome) ?? []), caller]);
  }

  lines(): string[] {
    const requests = new Map<string, string[]>();
    for (const [request, outcomes] of this.#callers) {
      for (const [outcome, callers] of outcomes) {
        const line = `${outcome}: ${callers.join(', ')}`;
        requests.set(line, [...(requests.get(line) ?? []), request]);
      }
    }
    return [...requests].map(([line, names]) => `  ${names.join(' | ')} → ${line}`);
  }
}

/** The cases of `now` with another outcome than in `recorded`. A case that only one of them has is left out. */
export function differences(recorded: string, now: string): string[] {
  const expected = casesIn(recorded);
  const titles = new Map<string, Outcomes>();
  for (const [key, { title, request, caller, outcome }] of casesIn(now)) {
    const before = expected.get(key)?.outcome;
    if (before === undefined || before === outcome) continue;
    const changed = titles.get(title) ?? new Outcomes();
    titles.set(title, changed);
    changed.add(request, `${before}, here ${outcome}`, caller);
  }
  return [...titles].flatMap(([title, changed]) => [title, ...changed.lines()]);
}

interface Case {
  readonly title: string;
  readonly request: string;
  readonly caller: string;
  readonly outcome: string;
}

function casesIn(text: string): Map<string, Case> {
  const cases = new Map<string, Case>();
  let title = '';
  for (const line of text.split('\n')) {
    const [, requests, outcome = '', callers = ''] = /^ {2}(.*) → (.*): (.*)$/.exec(line) ?? [];
    if (requests === undefined) title = line;
    for (const request of requests?.split(' | ') ?? []) {
      for (const caller of callers.split(', ')) {
        cases.set(JSON.stringify([title, request, caller]), { title, request, caller, outcome });
      }
    }
  }
  return cases;
}
