/** The command line. Commands are loaded when they are called, so that each starts as fast as it can. */
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { ROOT } from './paths.ts';

// Beside what is compiled. Where nobody may write, everything is compiled at each start, as without it.
enableCompileCache(join(ROOT, 'node_modules', '.cache', 'windlass'));

const within =
  (least: number, most: number, unit: string) =>
  (text: string): number => {
    const value = Number(text);
    if (text.trim() === '' || !Number.isFinite(value) || value < least || value > most)
      throw new InvalidArgumentError(`It must be ${unit} from ${least} to ${most}.`);
    return value;
  };

const port = (text: string): number => {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('It must be a whole number from 0 to 65535.');
  return within(0, 65_535, 'a whole number')(text);
};

const address = (text: string): string => {
  if (!/^http:\/\//.test(text) || URL.parse(text) === null)
    throw new InvalidArgumentError('It must be the address of an endpoint, such as http://127.0.0.1:5000.');
  return text;
};

const oneOf =
  (...choices: readonly string[]) =>
  (text: string): string => {
    if (!choices.includes(text)) throw new InvalidArgumentError(`It must be ${choices.join(' or ')}.`);
    return text;
  };

const gather = (file: string, before: readonly string[]): string[] => [...before, file];

/** Runs a command; its number is the exit code, an error is one line on stderr and code 1. */
const finish = async (command: () => Promise<number> | number): Promise<void> => {
  try {
    process.exitCode = await command();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    process.stderr.write(`${message}\n`);
    process.exitCode = 1;
  }
};

const DAY_SECONDS = 86_400;

const program = new Command('windlass').description('Cluster API without a management cluster.');

program
  .command('start')
  .description('run everything on this computer, until Ctrl-C')
  .option('--apply <file>', 'apply a file of manifests once everything runs (repeatable)', gather, [])
  .option('--once', 'end when every applied Cluster is Available with all its machines Running', false)
  .option('--timeout <seconds>', 'how long to wait for the applied Clusters', within(1, DAY_SECONDS, 'a number'), 600)
  .option('--port <number>', 'of the Kubernetes API on 127.0.0.1; 0 takes a free one', port, 6444)
  .option('--boot <seconds>', 'how long a simulated machine boots', within(0, 3600, 'a number'), 2)
  .option('--aws <url>', 'another AWS endpoint in place of the simulated EC2, ELBv2, Secrets Manager and SSM', address)
  .option('--dynamodb <url>', 'another DynamoDB endpoint, for example DynamoDB Local, in place of dynalite', address)
  .option('-c, --context <key=value>', 'a setting of the stack, as for npm run deploy (repeatable)', gather, [])
  .action((options) => finish(async () => (await import('./commands/start.ts')).start(options)));

program
  .command('plan')
  .description('say what applying manifests would bring about, and change nothing')
  .requiredOption('-f, --filename <file>', 'a file of manifests, or - for the standard input (repeatable)', gather, [])
  .option('--kubeconfig <file>', 'of the management API; that of npm start unless given')
  .option('-o, --output <format>', 'text or json', oneOf('text', 'json'), 'text')
  .option('--detailed-exitcode', 'end with 2 where something would change, as terraform plan does', false)
  .action((options) => finish(async () => (await import('./commands/plan.ts')).plan(options)));

program
  .command('synth')
  .description('synthesize the CloudFormation template into cdk.out')
  .action(() =>
    finish(async () => {
      const { outdir, reused } = await (await import('./commands/synth.ts')).synth();
      process.stdout.write(`${outdir}${reused ? ' (unchanged)' : ''}\n`);
      return 0;
    }),
  );

program
  .command('deploy')
  .description('deploy to AWS: cdk deploy, with further arguments passed on')
  .argument('[arguments...]')
  .allowUnknownOption()
  .helpOption(false)
  .action((passedOn) => finish(async () => (await import('./commands/deploy.ts')).deploy(passedOn)));

program
  .command('destroy')
  .description('take the stack away where no cluster is left: cdk destroy, with further arguments passed on')
  .argument('[arguments...]')
  .allowUnknownOption()
  .helpOption(false)
  .action((passedOn) => finish(async () => (await import('./commands/destroy.ts')).destroy(passedOn)));

program
  .command('test')
  .description('run the tests that need nothing but Node.js; of a folder, all that judge it')
  .argument('[arguments...]')
  .allowUnknownOption()
  .helpOption(false)
  .action((passedOn) => finish(async () => (await import('./commands/test.ts')).test(passedOn)));

program
  .command('conformance')
  .description('run the suites against real programs, such as kubectl, that have changed since they passed')
  .argument('[arguments...]', 'parts of paths of test files; further options go to vitest')
  .option('--all', 'run unchanged suites as well')
  .option('--tools', 'only install or build the programs that the suites need')
  .allowUnknownOption()
  .action((passedOn, options) =>
    finish(async () => (await import('./commands/conformance.ts')).conformance(passedOn, options)),
  );

program
  .command('bench')
  .description('measure how fast and how large npm start is')
  .argument('[suite]', 'a suite other than the first')
  .option('--json', 'print one JSON object', false)
  .action((suite, options) => finish(async () => (await import('./commands/bench.ts')).bench(suite, options)));

program
  .command('docs')
  .description('write docs/reference and docs/drift.md, and draw the diagrams of docs/architecture.md')
  .action(() =>
    finish(async () => {
      const changed = await (await import('./commands/docs.ts')).docs();
      process.stdout.write(
        changed ? 'docs/architecture.md has new diagrams\n' : 'docs/architecture.md is up to date\n',
      );
      return 0;
    }),
  );

program
  .command('token')
  .description('print a token for the API of npm start')
  .action(() =>
    finish(async () => {
      process.stdout.write(`${(await import('./commands/token.ts')).token()}\n`);
      return 0;
    }),
  );

program
  .command('kubeconfig')
  .description('print a kubeconfig for a stack that was deployed')
  .option('--stack <name>', 'of the stack', 'Windlass')
  .option('--role <arn>', 'to be when asking; the role WindlassAdmin of the account unless given')
  .action((options) => finish(async () => (await import('./commands/kubeconfig.ts')).kubeconfig(options)));

program
  .command('adopt')
  .description('rebuild the objects of a cluster that is there although they are lost; says what it would do')
  .argument('<name>', 'of the cluster')
  .option(
    '-f, --filename <file>',
    'manifests of the cluster, which say what nothing else does (repeatable)',
    gather,
    [],
  )
  .option('--pki <directory>', 'with the files of /etc/kubernetes/pki of one of its control plane machines')
  .option('--ca-cert <file>', "the cluster's authority")
  .option('--ca-key <file>', 'its key')
  .option('--etcd-ca-cert <file>', "etcd's authority")
  .option('--etcd-ca-key <file>', 'its key')
  .option('--proxy-ca-cert <file>', "the front proxy's authority")
  .option('--proxy-ca-key <file>', 'its key')
  .option('--sa-pub <file>', 'the public key of service account tokens')
  .option('--sa-key <file>', 'the private one')
  .option('--region <name>', 'of the cluster; AWS_REGION unless given')
  .option('-n, --namespace <name>', 'of the cluster; needed where clusters of several namespaces have its name')
  .option('--endpoint <host:port>', 'of the cluster; its load balancers are asked unless given')
  .option('--kubeconfig <file>', 'of the management API; that of npm start unless given')
  .option('--yes', 'write the objects down', false)
  .action((name, options) => finish(async () => (await import('./commands/adopt.ts')).adopt(name, options)));

program
  .command('simulate')
  .description('play random lives of a cluster on a virtual clock, and say what broke')
  .option('--seeds <number>', 'how many', within(1, 1e6, 'a number'), 2000)
  .option('--first <number>', 'the seed of the first', within(1, 1e9, 'a number'), 1)
  .option('--json', 'print one JSON object', false)
  .action((options) => finish(async () => (await import('./commands/simulate.ts')).simulate(options)));

await program.parseAsync();
