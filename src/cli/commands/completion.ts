/** `sonde completion`: prints a shell's completion script, generated from the program itself. */
import { Argument, type Command } from 'commander';
import { type CliContext, printResult } from '../cli-context.js';

const rootOf = (command: Command): Command => (command.parent ? rootOf(command.parent) : command);

export function addCompletion(parent: Command, context: CliContext): void {
  parent
    .command('completion')
    .description('print a completion script')
    .addArgument(new Argument('<shell>').choices(['bash', 'zsh', 'fish']))
    .addHelpText(
      'after',
      `
Set up:
  bash  source <(sonde completion bash)                                    in ~/.bashrc
  zsh   source <(sonde completion zsh)                                     in ~/.zshrc, after compinit
  fish  sonde completion fish > ~/.config/fish/completions/sonde.fish`,
    )
    .action(async (shell: 'bash' | 'zsh' | 'fish', _options: unknown, self: Command) => {
      const { completionScript } = await import('../completion/completion-script.js');
      const script = completionScript(shell, rootOf(self));
      await printResult(context, { shell, script }, script);
    });
}
