/** Describes the program's commands and options as plain data, for completion scripts and the reference. */
import type { Command, Option } from 'commander';

export interface OptionShape {
  readonly flags: readonly string[];
  /** The form in help: `-r, --reporter <NAME>`. */
  readonly term: string;
  readonly about: string;
  readonly takes: 'nothing' | 'file' | 'text';
  readonly choices: readonly string[];
}

export interface CommandShape {
  /** Begins with the program's name: `sonde config show`. */
  readonly path: string;
  readonly about: string;
  /** What follows the path: `[options] <URL>`. */
  readonly usage: string;
  readonly arguments: readonly { readonly term: string; readonly about: string }[];
  /** The text after the options, such as examples; may be empty. */
  readonly notes: string;
  /** Words that may follow: subcommands, or the choices of its arguments. */
  readonly words: readonly { readonly word: string; readonly about: string }[];
  readonly options: readonly OptionShape[];
}

function readTakes(option: Option): OptionShape['takes'] {
  if (!option.required && !option.optional) return 'nothing';
  return /<[^>]*(?:FILE|FOLDER)/.test(option.flags) ? 'file' : 'text';
}

const optionShape = (option: Option): OptionShape => ({
  flags: [option.short, option.long].filter((flag) => flag !== undefined && flag !== null),
  term: option.flags,
  about: option.description,
  takes: readTakes(option),
  choices: option.argChoices ?? [],
});

/** Commander offers no other access to the texts of `addHelpText`. */
function textAfterHelp(command: Command): string {
  let text = '';
  const write = (part: string) => {
    text += part;
  };
  const emitter = command as Command & { emit(event: string, context: object): boolean };
  emitter.emit('afterHelp', { error: false, command, write });
  return text.trim();
}

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
    usage: command.usage(),
    arguments: command.registeredArguments.map((argument) => ({
      term: help.argumentTerm(argument),
      about: help.argumentDescription(argument),
    })),
    notes: textAfterHelp(command),
    words: [
      ...subcommands.map((sub) => ({ word: sub.name(), about: sub.description() })),
      ...choices.map((word) => ({ word, about: '' })),
    ],
    options: options.map(optionShape),
  };
  const real = command.commands.filter((sub) => subcommands.includes(sub));
  return [own, ...real.flatMap((sub) => describeProgram(sub, names))];
}
