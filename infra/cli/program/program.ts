import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command, Help, type Option } from 'commander';
import { IS_CHECKOUT, ROOT } from '../paths.ts';
import { addClusterCommands } from './clusters.ts';
import { addCompletion } from './completion.ts';
import { addInstallationCommands } from './installation.ts';
import { addOperationCommands } from './operations.ts';
import { examples } from './options.ts';
import { addProjectCommands } from './project.ts';

const versionOf = (): string => JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).version;

const isNothing = (value: unknown): boolean => value === false || (Array.isArray(value) && value.length === 0);

/** Omits `(default: false)` and `(default: [])`, because an option that is not given has no effect. */
const optionDescription = (option: Option): string => {
  const shown = isNothing(option.defaultValue)
    ? Object.assign(Object.create(Object.getPrototypeOf(option)), option, { defaultValue: undefined })
    : option;
  return new Help().optionDescription(shown);
};

/** The complete command line. Commands are loaded when they are called, so that each starts as fast as possible. */
export const makeProgram = (): Command => {
  const program = new Command('windlass')
    .description('Cluster API without a management cluster.')
    .version(versionOf(), '-V, --version')
    .configureHelp({ optionDescription })
    .showHelpAfterError('Add --help for the options of this command.')
    .addHelpText(
      'after',
      examples(
        ['Run everything on this computer, with a first cluster', 'windlass start --apply examples/quickstart.yaml'],
        ['See all clusters, and one of them', 'windlass get clusters && windlass describe cluster quickstart'],
        ['Complete commands in bash (zsh and fish too)', 'source <(windlass complete bash)'],
      ),
    );
  addClusterCommands(program);
  addOperationCommands(program);
  addInstallationCommands(program);
  if (IS_CHECKOUT) addProjectCommands(program);
  addCompletion(program);
  return program;
};
