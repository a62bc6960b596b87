/** Parses `-r name,name=file,…`. A report without a file is printed, and only one can be. */
import { SondeError } from '../../errors.js';

export interface ReporterChoice<Name extends string> {
  readonly name: Name;
  /** Stdout by default. */
  readonly file?: string;
}

export function readReporters<Name extends string>(
  names: readonly Name[],
  texts: readonly string[],
): ReporterChoice<Name>[] {
  const choices = texts
    .flatMap((text) => text.split(','))
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .map((text) => readReporter(names, text));
  if (choices.length === 0) throw new SondeError('USAGE', `-r needs one of ${names.join(', ')}`);
  // GitHub's runner finds annotations among other output.
  const printed = choices.filter(({ file, name }) => file === undefined && name !== 'github');
  if (printed.length > 1) {
    throw new SondeError(
      'USAGE',
      `-r ${printed.map(({ name }) => name).join(' and ')} would both print on stdout: give all but one a file, as in ${printed[0]?.name}=FILE`,
    );
  }
  return choices;
}

function readReporter<Name extends string>(names: readonly Name[], text: string): ReporterChoice<Name> {
  const [word = '', ...rest] = text.split('=');
  const name = names.find((known) => known === word);
  if (!name) throw new SondeError('USAGE', `-r accepts ${names.join(', ')}, not ${JSON.stringify(word)}`);
  if (rest.length === 0) return { name };
  const file = rest.join('=');
  if (file === '') throw new SondeError('USAGE', `-r ${name}= needs a file`);
  return { name, file };
}
