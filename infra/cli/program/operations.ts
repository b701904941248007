/** Commands for operators: inspection and immediate actions. */
import { type Command, Option } from 'commander';
import {
  duration,
  examples,
  finish,
  instant,
  OF_CLUSTER,
  oneOf,
  port,
  pricesOption,
  withContext,
  withStack,
} from './options.ts';

const HOUR_MILLISECONDS = 3_600_000;

const output = (command: Command): Command =>
  command.option('-o, --output <format>', 'text or json', oneOf('text', 'json'), 'text');

const addReconcile = (program: Command): void => {
  withContext(program.command('reconcile'), OF_CLUSTER)
    .description('reconcile a cluster now, without waiting for the next retry')
    .argument('<name>', 'name of the cluster')
    .action((name, options) => finish(async () => (await import('../commands/reconcile.ts')).reconcile(name, options)));
};

const addSweep = (program: Command): void => {
  output(withStack(withContext(program.command('sweep'))))
    .description('compare all clusters with AWS now, as the schedule does, and show what was found')
    .action((options) => finish(async () => (await import('../commands/sweep.ts')).sweep(options)));
};

const addLogs = (program: Command): void => {
  output(withStack(withContext(program.command('logs'), OF_CLUSTER)))
    .description('show what all functions have logged about a cluster')
    .argument('<name>', 'name of the cluster')
    .addOption(
      new Option('--since <duration>', 'how far back, such as 15m or 2h')
        .argParser(duration)
        .default(HOUR_MILLISECONDS, '1h'),
    )
    .option('-f, --follow', 'show new lines until Ctrl-C', false)
    .addHelpText('after', examples(['The last ten minutes, and new lines', 'windlass logs demo --since 10m --follow']))
    .action((name, options) => finish(async () => (await import('../commands/logs.ts')).logs(name, options)));
};

const addDoctor = (program: Command): void => {
  output(
    withStack(
      withContext(program.command('doctor'), 'namespace in which permissions are checked (that of the context)'),
    ),
  )
    .description('check credentials, reachability, versions and quotas; the output contains no secrets')
    .action((options) => finish(async () => (await import('../commands/doctor.ts')).doctor(options)));
};

const addRestore = (program: Command): void => {
  withStack(program.command('restore'))
    .description('restore the table of all objects to an earlier state, as a new table')
    .addOption(
      new Option('--at <time>', 'the moment to restore, such as 2026-01-31T08:00:00Z (the latest possible)').argParser(
        instant,
      ),
    )
    .option('--from <table>', 'the table to restore (that of the stack)')
    .addOption(
      new Option(
        '--from-export <place>',
        'an export to load instead, such as s3://backups/Windlass/AWSDynamoDB/ID',
      ).conflicts(['at', 'from']),
    )
    .option('--to <table>', 'name of the new table; an existing one is only prepared for use (a name with the time)')
    .option('--no-pause', 'do not pause the restored clusters')
    .addHelpText(
      'after',
      examples(
        ["To its state at eight o'clock", 'windlass restore --at 2026-01-31T08:00:00Z'],
        ['From an export', 'windlass restore --from-export s3://backups/Windlass/AWSDynamoDB/01706688000000-0a1b2c3d'],
      ),
    )
    .action((options) => finish(async () => (await import('../commands/restore.ts')).restore(options)));
};

const addUi = (program: Command): void => {
  withContext(program.command('ui'), 'namespace that the web UI shows (all namespaces)')
    .description('show the clusters in a browser, with your own credentials')
    .option('--port <number>', 'port of the web UI on 127.0.0.1; 0 uses a free one', port, 0)
    .option('--write', 'allow edits, each with its plan before it is applied', false)
    .addOption(pricesOption())
    .addHelpText('after', examples(['The clusters of the current context', 'windlass ui']))
    .action((options) => finish(async () => (await import('../commands/ui.ts')).ui(options)));
};

export const addOperationCommands = (program: Command): void => {
  program.commandsGroup('Operate:');
  addReconcile(program);
  addSweep(program);
  addLogs(program);
  addDoctor(program);
  addRestore(program);
  addUi(program);
};
