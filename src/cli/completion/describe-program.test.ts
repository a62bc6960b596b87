import { Command, Option } from 'commander';
import { expect, test } from 'vitest';
import { completionScript } from './completion-script.js';
import { describeProgram } from './describe-program.js';

function program(): Command {
  const root = new Command('sonde')
    .option('--json', 'machine-readable')
    .configureHelp({ showGlobalOptions: true });
  const serve = root.command('serve').description("run it, don't stop");
  serve.addOption(new Option('--auth <MODE>', 'who').choices(['jwt', 'none']));
  serve.option('--ca <FILE>', 'file').option('--host <NAME>', 'name').option('--quiet', 'less');
  root.command('net').command('check').description('judge a URL');
  root.command('secret', { hidden: true });
  return root;
}

test('describes every visible command with its words and options', () => {
  const commands = describeProgram(program());
  expect(commands.map(({ path }) => path)).toEqual(['sonde', 'sonde serve', 'sonde net', 'sonde net check']);
  expect(commands[0]?.words.map(({ word }) => word)).toEqual(['serve', 'net', 'help']);
  const takes = commands[1]?.options.map(({ flags, takes }) => [flags.at(-1), takes]);
  expect(takes).toEqual([
    ['--auth', 'text'],
    ['--ca', 'file'],
    ['--host', 'text'],
    ['--quiet', 'nothing'],
    ['--help', 'nothing'],
    ['--json', 'nothing'],
  ]);
  expect(commands[1]?.options[0]?.choices).toEqual(['jwt', 'none']);
});

test.each(['bash', 'zsh', 'fish'] as const)(
  'the %s script has all commands, options and choices, without unescaped quotes',
  (shell) => {
    const script = completionScript(shell, program());
    expect(script).toContain('sonde net check');
    expect(script).toMatch(/jwt'? '?none/);
    expect(script).not.toContain("don't");
  },
);
