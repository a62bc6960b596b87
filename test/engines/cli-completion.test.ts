/** Completions in the real shells: a test types a word and reads what the shell offers. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { folderWith, sonde } from './cli-process.js';

type Shell = 'bash' | 'zsh' | 'fish';

/** Each prints what its shell offers after the words, one per line. */
const COMPLETERS: Readonly<Record<Shell, (script: string, words: readonly string[]) => [string, string[]]>> =
  {
    bash: (script, words) => [
      'bash',
      [
        '--noprofile',
        '--norc',
        '-c',
        `source ${script}; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _sonde; printf '%s\\n' "\${COMPREPLY[@]}"`,
        '_',
        ...words,
      ],
    ],
    // Runs the real completion system in its own terminal, so that its list is what a user would see.
    zsh: (script, words) => ['zsh', ['-f', join(script, '..', 'complete.zsh'), script, words.join(' ')]],
    fish: (script, words) => [
      'fish',
      ['--no-config', '-c', `source ${script}; complete --do-complete "${words.join(' ')}"`],
    ],
  };

/** Keys are handled in order, so the last one prints the line that the others left. */
const ZSH = `
zmodload zsh/zpty
zpty terminal zsh -f -i
send() { zpty -w terminal "$1" }
send 'PROMPT= ; RPROMPT= ; stty cols 200 ; autoload -Uz compinit && compinit -u -D'
send 'show() { zle -I; print -r -- "line: $BUFFER." } ; zle -N show ; bindkey "^X" show'
send "source $1"
send 'print -r -- "re""ady"'
zpty -r terminal text '*ready*'
zpty -w -n terminal "$2"$'\\t\\t\\x18'
zpty -r terminal text '*line: *.*'
print -r -- "$text"
zpty -d terminal
`;

const SHELLS = ['bash', 'zsh', 'fish'] as const;
const isThere = (shell: Shell) => spawnSync(shell, ['-c', 'exit 0'], { stdio: 'ignore' }).status === 0;

describe.each(SHELLS.filter(isThere))('%s', (shell) => {
  test('completes commands, options and choices', async () => {
    const folder = folderWith({ 'complete.zsh': ZSH });
    const script = join(folder, `sonde.${shell}`);
    writeFileSync(script, (await sonde(['completion', shell])).stdout);
    const offered = (...words: string[]): string => {
      const [program, args] = COMPLETERS[shell](script, words);
      const { stdout, stderr } = spawnSync(program, args, {
        cwd: folder,
        encoding: 'utf8',
        env: { PATH: process.env['PATH'] ?? '', HOME: folder, TERM: 'dumb' },
      });
      return stdout + stderr;
    };
    expect(offered('sonde', 'se')).toMatch(/(?:^|\s)serve\b/m);
    expect(offered('sonde', 'stream', 'l')).toMatch(/(?:^|\s)list\b/m);
    expect(offered('sonde', 'serve', '--aut')).toMatch(/(?:^|\s)--auth\b/m);
    for (const [words, choices] of [
      [
        ['serve', '--auth', ''],
        ['jwt', 'none'],
      ],
      [
        ['--json', 'config', 's'],
        ['schema', 'show'],
      ],
      [
        ['stream', 'list', '--state', ''],
        ['closed', 'open'],
      ],
    ] as const) {
      const found = offered('sonde', ...words);
      for (const choice of choices) expect(found).toMatch(new RegExp(`^${choice}\\b|\\s${choice}\\b`, 'm'));
    }
  });
});

const missing = SHELLS.filter((shell) => !isThere(shell));
if (missing.length > 0) {
  test(`completions not run, because these shells are not installed: ${missing.join(', ')}`, async () => {
    for (const shell of missing)
      expect((await sonde(['completion', shell])).stdout).toContain('sonde stream list');
  });
}
