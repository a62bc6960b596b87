/** `sonde explain CODE`: explains a finding, an audit rule or an error, from the bundled documentation. */
import type { Command } from 'commander';
import { SondeError } from '../../errors.js';
import { type CliContext, printJson, printText } from '../cli-context.js';

type Kind = 'finding' | 'rule' | 'error';

interface Explanation {
  readonly code: string;
  readonly kind: Kind;
  /** Markdown. */
  readonly text: string;
}

interface KnownCode {
  readonly code: string;
  readonly kind: Kind;
}

async function knownCodes(): Promise<KnownCode[]> {
  const { FINDING_CODES } = await import('../../compare/index.js');
  const { RULES } = await import('../../audits/index.js');
  const { ERROR_CODES } = await import('../../errors.js');
  return [
    ...Object.keys(FINDING_CODES).map((code) => ({ code, kind: 'finding' as const })),
    ...RULES.map(({ id }) => ({ code: id, kind: 'rule' as const })),
    ...Object.keys(ERROR_CODES).map((code) => ({ code, kind: 'error' as const })),
  ];
}

async function errorText(code: string): Promise<string> {
  const { ERROR_CODES } = await import('../../errors.js');
  const { ERROR_MEANINGS } = await import('../../error-meanings.js');
  const known = code as keyof typeof ERROR_CODES;
  const { status, retryable, fault } = ERROR_CODES[known];
  const { meaning, fix } = ERROR_MEANINGS[known];
  const properties = `HTTP ${status}, ${retryable ? 'may be retried' : 'not retryable'}, caused by the ${fault}`;
  return `# ${code}\n\n${meaning}\n\n**What to do.** ${fix}\n\n${properties}`;
}

async function explain(context: CliContext, given: string): Promise<Explanation> {
  const all = await knownCodes();
  const found =
    all.find(({ code }) => code === given) ??
    all.find(({ code }) => code.toLowerCase() === given.toLowerCase().replaceAll('-', '_')) ??
    all.find(({ code }) => code.toLowerCase() === given.toLowerCase());
  if (!found) throw await unknownCode(given, all);
  const { code, kind } = found;
  if (kind === 'error') return { code, kind, text: await errorText(code) };
  const page =
    kind === 'finding' ? `findings/${code.toLowerCase().replaceAll('_', '-')}.md` : `audit-rules/${code}.md`;
  return { code, kind, text: (await context.runtime.readDocs(page)).trimEnd() };
}

async function unknownCode(given: string, all: readonly KnownCode[]): Promise<SondeError> {
  const { nearestName } = await import('../../config/nearest-name.js');
  const guess = nearestName(
    given,
    all.map(({ code }) => code),
  );
  const hint = guess === undefined ? 'sonde explain lists all codes' : `did you mean ${guess}?`;
  return new SondeError('USAGE', `there is no finding, rule or error ${JSON.stringify(given)}`, {
    details: { hint },
  });
}

const TITLES: Readonly<Record<Kind, string>> = {
  finding: 'Findings of comparisons',
  rule: 'Rules of audits',
  error: 'Errors',
};

async function list(context: CliContext): Promise<void> {
  const all = await knownCodes();
  if (context.json) return printJson(context, { codes: all });
  for (const kind of Object.keys(TITLES) as Kind[]) {
    await printText(context, context.paint('strong', TITLES[kind]));
    for (const each of all) if (each.kind === kind) await printText(context, `  ${each.code}`);
  }
}

/** Formats Markdown for a terminal: headings and strong text are painted, headings lose their code marks. */
function forTerminal({ paint }: CliContext, markdown: string): string {
  return markdown
    .replaceAll(/^#+ (.*)$/gm, (_all, title: string) => paint('strong', title.replaceAll('`', '')))
    .replaceAll(/\*\*(.+?)\*\*/g, (_all, text: string) => paint('strong', text));
}

export function addExplain(parent: Command, context: CliContext): void {
  parent
    .command('explain')
    .description('explain a finding, an audit rule or an error')
    .argument('[CODE]', 'such as STATUS_MISMATCH, link.broken or ssrf_blocked; without it, list all codes')
    .action(async (code: string | undefined) => {
      if (code === undefined) return list(context);
      const found = await explain(context, code);
      if (context.json) return printJson(context, { ...found });
      await printText(context, forTerminal(context, found.text));
    });
}
