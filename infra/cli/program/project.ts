/** The commands for developers of Windlass. They need a checkout. */
import type { Command } from 'commander';
import { finish, gather, whole, within } from './options.ts';

const addChecks = (program: Command): void => {
  program
    .command('test')
    .description('run the tests that need only Node.js; with folders, the tests that cover them')
    .argument('[arguments...]')
    .allowUnknownOption()
    .helpOption(false)
    .action((passedOn) => finish(async () => (await import('../commands/test.ts')).test(passedOn)));
  program
    .command('conformance')
    .description('run the suites that have changed since they passed, against real programs such as kubectl')
    .argument('[arguments...]', 'parts of paths of test files; further options go to vitest')
    .option('--all', 'run unchanged suites as well')
    .option('--tools', 'only install or build the programs that the suites need')
    .allowUnknownOption()
    .action((passedOn, options) =>
      finish(async () => (await import('../commands/conformance.ts')).conformance(passedOn, options)),
    );
  program
    .command('simulate')
    .description('simulate random cluster lifecycles on a virtual clock, and report defects')
    .option('--seeds <number>', 'number of lifecycles: 2000 unless given, or 1 with --system', whole(1, 1_000_000))
    .option('--first <number>', 'seed of the first lifecycle', whole(1, 1_000_000_000), 1)
    .option('--json', 'print one JSON object', false)
    .option(
      '--system',
      'simulate the whole system instead of only its steps; further options, such as --faults, are passed to it',
      false,
    )
    .option(
      '-c, --context <key=value>',
      'with --system: a setting of the stack, as for deploy (repeatable)',
      gather,
      [],
    )
    .argument('[options...]')
    .allowUnknownOption()
    .action((passedOn, options) =>
      finish(async () => (await import('../commands/simulate.ts')).simulate(options, passedOn)),
    );
};

/** Numbers of clusters. Throws if one of them is invalid. */
const sizes = (text: string): number[] => text.split(',').map(within(1, 100_000, 'numbers of clusters'));

const addProducts = (program: Command): void => {
  program
    .command('bench')
    .description('measure speed, memory, calls to AWS and cost; CONTRIBUTING.md lists the suites')
    .argument(
      '[suite]',
      'another suite than `start`; `report` measures all that docs/performance.md shows, and writes it',
    )
    .option(
      '--boot <seconds>',
      'how long a machine boots: in the suite `cost` 150, in `peer` 14, in `clusters` 2 unless given',
      within(0, 3600, 'a number'),
    )
    .option(
      '--clusters <numbers>',
      'sizes of the fleets of the suite `fleet`, ascending, comma-separated: 100,1000; clusters at once in `storm`, `clusters` and `peer`',
      sizes,
    )
    .option(
      '--others <number>',
      'instances in the account that belong to no cluster: 1000 unless given',
      within(0, 1_000_000, 'a number'),
    )
    .option('--shards <number>', 'number of functions that share the sweep: 1 unless given', within(1, 20, 'a number'))
    .option(
      '--measured <number>',
      'number of these functions that are measured: all unless given',
      within(1, 20, 'a number'),
    )
    .option('--live', 'in the suite `storm`, create whole clusters in real time', false)
    .option('--record', 'keep the figures for docs/performance.md, which `npm run docs` writes', false)
    .option('--json', 'print one JSON object', false)
    .action((suite, options) => finish(async () => (await import('../commands/bench.ts')).bench(suite, options)));
  program
    .command('docs')
    .description('generate the parts of docs that come from code')
    .option('--recording', 'run the demo and record it instead, as docs/images/demo.svg', false)
    .action(({ recording }) =>
      finish(async () => {
        if (recording) {
          await (await import('../docs/recording/demo.ts')).recordDemo();
          process.stdout.write('docs/images/demo.svg has a new recording\n');
          return 0;
        }
        const changed = await (await import('../commands/docs.ts')).docs(program);
        process.stdout.write(
          changed ? 'docs/architecture.md has new diagrams\n' : 'docs/architecture.md is up to date\n',
        );
        return 0;
      }),
    );
};

const addBuild = (program: Command): void => {
  program
    .command('build')
    .description('compile the code for npm pack')
    .action(() =>
      finish(async () => {
        await (await import('../commands/build.ts')).buildPackage();
        return 0;
      }),
    );
};

export const addProjectCommands = (program: Command): void => {
  program.commandsGroup('Work on Windlass:');
  addChecks(program);
  addProducts(program);
  addBuild(program);
};
