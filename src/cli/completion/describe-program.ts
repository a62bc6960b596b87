/** The program's commands and options as plain data, for the writers of completion scripts. */
import type { Command, Option } from 'commander';

export interface OptionShape {
  readonly flags: readonly string[];
  readonly about: string;
  readonly takes: 'nothing' | 'file' | 'text';
  readonly choices: readonly string[];
}

export interface CommandShape {
  /** From the program's name down: `sonde config show`. */
  readonly path: string;
  readonly about: string;
  /** Words that may follow: subcommands, or the choices of its arguments. */
  readonly words: readonly { readonly word: string; readonly about: string }[];
  readonly options: readonly OptionShape[];
}

function takes(option: Option): OptionShape['takes'] {
  if (!option.required && !option.optional) return 'nothing';
  return /<[^>]*(?:FILE|FOLDER)/.test(option.flags) ? 'file' : 'text';
}

const optionShape = (option: Option): OptionShape => ({
  flags: [option.short, option.long].filter((flag) => flag !== undefined && flag !== null),
  about: option.description,
  takes: takes(option),
  choices: option.argChoices ?? [],
});

/** Every command, the program itself first. */
export function describeProgram(command: Command, above: readonly string[] = []): CommandShape[] {
  const help = command.createHelp();
  const names = [...above, command.name()];
  const choices = command.registeredArguments.flatMap((argument) => argument.argChoices ?? []);
  const subcommands = help.visibleCommands(command);
  const options = [...help.visibleOptions(command), ...help.visibleGlobalOptions(command)];
  const own: CommandShape = {
    path: names.join(' '),
    about: command.description(),
    words: [
      ...subcommands.map((sub) => ({ word: sub.name(), about: sub.description() })),
      ...choices.map((word) => ({ word, about: '' })),
    ],
    options: options.map(optionShape),
  };
  const real = command.commands.filter((sub) => subcommands.includes(sub));
  return [own, ...real.flatMap((sub) => describeProgram(sub, names))];
}
