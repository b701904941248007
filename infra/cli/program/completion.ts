import tab from '@bomb.sh/tab/commander';
import type { Command } from 'commander';

/** Adds `complete SHELL`, which prints a script for bash, zsh, fish or PowerShell, and answers that script. */
export const addCompletion = (program: Command): void => {
  tab(program);
  program.commands.find((command) => command.name() === 'complete')?.helpGroup('Shell:');
};
