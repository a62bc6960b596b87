/**
 * Completion scripts for three shells. Each script follows the typed words to the command they name and offers its
 * subcommands and options. Values of options are completed from their choices, or as files. All text comes from our own
 * program, but is still quoted for the shell.
 */
import type { Command } from 'commander';
import { type CommandShape, describeProgram, type OptionShape } from './describe-program.js';

/** Also valid in fish, where only backslashes and quotes are special inside single quotes. */
const quote = (text: string): string => `'${text.replaceAll('\\', '').replaceAll("'", '’')}'`;
const patterns = (words: readonly string[]): string => words.map(quote).join('|');

const pathsBelow = (commands: readonly CommandShape[]): string[] => commands.slice(1).map(({ path }) => path);

const optionPaths = (command: CommandShape, option: OptionShape): string[] =>
  option.flags.map((flag) => `${command.path} ${flag}`);

/** One `case` branch for each option that takes a value. */
const valueBranches = (commands: readonly CommandShape[], offer: (option: OptionShape) => string): string =>
  commands
    .flatMap((command) =>
      command.options
        .filter((option) => option.takes !== 'nothing')
        .map((option) => `    ${patterns(optionPaths(command, option))}) ${offer(option)}; return ;;`),
    )
    .join('\n');

function bash(commands: readonly CommandShape[]): string {
  const offers = commands.map((command) => {
    const words = [
      ...command.words.map(({ word }) => word),
      ...command.options.flatMap(({ flags }) => flags),
    ];
    return `    ${quote(command.path)}) words=${quote(words.join(' '))} ;;`;
  });
  const values = valueBranches(commands, ({ choices }) =>
    choices.length > 0 ? `COMPREPLY=($(compgen -W ${quote(choices.join(' '))} -- "$cur"))` : 'COMPREPLY=()',
  );
  return `_sonde() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" at=sonde words='' i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$at \${COMP_WORDS[i]}" in
    ${patterns(pathsBelow(commands))}) at="$at \${COMP_WORDS[i]}" ;;
    esac
  done
  case "$at \${COMP_WORDS[COMP_CWORD - 1]}" in
${values}
  esac
  case "$at" in
${offers.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o default -F _sonde sonde`;
}

function zsh(commands: readonly CommandShape[]): string {
  const entry = (word: string, about: string) => quote(`${word}:${about.replaceAll(':', ' ')}`);
  const offers = commands.map((command) => {
    const words = command.words.map(({ word, about }) => entry(word, about));
    const options = command.options.flatMap(({ flags, about }) => flags.map((flag) => entry(flag, about)));
    return `    ${quote(command.path)}) offers=(${[...words, ...options].join(' ')}) ;;`;
  });
  const values = valueBranches(commands, ({ choices, takes }) =>
    choices.length > 0 ? `compadd -- ${choices.map(quote).join(' ')}` : takes === 'file' ? '_files' : ':',
  );
  return `#compdef sonde
_sonde() {
  local at=sonde word
  local -a offers
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$at $word" in
    ${patterns(pathsBelow(commands))}) at="$at $word" ;;
    esac
  done
  case "$at \${words[CURRENT-1]}" in
${values}
  esac
  case "$at" in
${offers.join('\n')}
  esac
  _describe sonde offers
}
if [ "$funcstack[1]" = _sonde ]; then _sonde "$@"; else compdef _sonde sonde; fi`;
}

function fish(commands: readonly CommandShape[]): string {
  const option = (at: string, { flags, about, takes, choices }: OptionShape): string => {
    const names = flags.map((flag) =>
      flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`,
    );
    const offer = { nothing: '', file: ' -r -F', text: ' -x' }[takes];
    const value = choices.length > 0 ? ` -x -a ${quote(choices.join(' '))}` : offer;
    return `complete -c sonde -n ${at} ${names.join(' ')}${value} -d ${quote(about)}`;
  };
  const lines = commands.flatMap((command) => {
    const at = quote(`__sonde_at ${command.path}`);
    const words = command.words.map(
      ({ word, about }) => `complete -c sonde -n ${at} -a ${word} -d ${quote(about)}`,
    );
    return [...words, ...command.options.map((each) => option(at, each))];
  });
  return `function __sonde_at
  set -l at sonde
  for word in (commandline -opc)[2..-1]
    switch "$at $word"
      case ${pathsBelow(commands).map(quote).join(' ')}
        set at "$at $word"
    end
  end
  test "$at" = "$argv"
end
complete -c sonde -f
${lines.join('\n')}`;
}

const WRITERS = { bash, zsh, fish } as const;

export const completionScript = (shell: keyof typeof WRITERS, program: Command): string =>
  WRITERS[shell](describeProgram(program));
