/** The commands that run Windlass, on this computer or in AWS. */
import { type Command, Option } from 'commander';
import { LIFELIKE } from '../start/faults.ts';
import { address, examples, finish, gather, hostCount, port, within } from './options.ts';

const FULL_ZONE = 'windlass start --fail RunInstances=InsufficientInstanceCapacity:us-east-1a';

const DAY_SECONDS = 86_400;

const addStart = (program: Command): void => {
  program
    .command('start')
    .description('run Windlass on this computer with a simulated AWS account, until Ctrl-C')
    .option('--apply <file>', 'apply a file of manifests once everything runs (repeatable)', gather, [])
    .option('--once', 'end when every applied Cluster is Available with all its machines Running', false)
    .option('--timeout <seconds>', 'how long to wait for the applied Clusters', within(1, DAY_SECONDS, 'a number'), 600)
    .option('--port <number>', 'port of the Kubernetes API on 127.0.0.1; 0 uses a free one', port, 6444)
    .option('--keep', 'keep the state for the next start with --keep, even if the process is killed', false)
    .option(
      '--hosts <number>',
      'simulate this number of hosts with SSH servers, and serve clusters on them (-c hosts=true)',
      hostCount,
    )
    .option('--vsphere', "also run Cluster API's vSphere provider, with VMware's simulator; needs Go", false)
    .option('--boot <seconds>', 'how long a simulated machine boots', within(0, 3600, 'a number'), 2)
    .option('--aws <url>', 'another AWS endpoint instead of the simulated EC2, ELBv2, Secrets Manager and SSM', address)
    .option('--dynamodb <url>', 'another DynamoDB endpoint, for example DynamoDB Local, instead of dynalite', address)
    .option('--function <name=file>', 'add a Lambda function to the account, for extensions (repeatable)', gather, [])
    .option('-c, --context <key=value>', 'a setting of the stack, as for deploy (repeatable)', gather, [])
    .addOption(
      new Option('--slow-aws [factor]', 'make operations take as long as on AWS, or this fraction of it')
        .argParser(within(0, 10, 'a number'))
        .preset('1'),
    )
    .addOption(
      new Option('--profile <name>', "lifelike: AWS's times and limits, stale reads, and a boot of 150 s")
        .choices(['lifelike'])
        .implies(LIFELIKE),
    )
    .option('--throttle', "apply EC2's and ELBv2's limits on the rate of calls", false)
    .option('--fail <fault>', 'make calls fail: OPERATION=CODE, with :TIMES or :ZONE (repeatable)', gather, [])
    .addHelpText(
      'after',
      examples(
        ['With a first cluster', 'windlass start --apply examples/quickstart.yaml'],
        ['A cluster on hosts', 'windlass start --hosts 4 --apply examples/hosts.yaml'],
        ['A cluster on vSphere', 'windlass start --vsphere --apply examples/vsphere.yaml'],
        ['See how it copes with a zone without capacity', FULL_ZONE],
      ),
    )
    .action((options) => finish(async () => (await import('../commands/start.ts')).start(options)));
};

const addDeploy = (program: Command): void => {
  program
    .command('synth')
    .description('synthesize the CloudFormation template without deploying it')
    .action(() =>
      finish(async () => {
        const { outdir, reused } = await (await import('../commands/synth.ts')).synth();
        process.stdout.write(`${outdir}${reused ? ' (unchanged)' : ''}\n`);
        return 0;
      }),
    );
  program
    .command('deploy')
    .description('deploy to AWS: runs cdk deploy, and passes arguments on')
    .argument('[arguments...]')
    .allowUnknownOption()
    .helpOption(false)
    .action((passedOn) => finish(async () => (await import('../commands/deploy.ts')).deploy(passedOn)));
  program
    .command('destroy')
    .description('remove the stack from AWS if no cluster is left: runs cdk destroy, and passes arguments on')
    .argument('[arguments...]')
    .allowUnknownOption()
    .helpOption(false)
    .action((passedOn) => finish(async () => (await import('../commands/destroy.ts')).destroy(passedOn)));
};

const addAccess = (program: Command): void => {
  program
    .command('kubeconfig')
    .description('print a kubeconfig for a deployed stack')
    .option('--stack <name>', 'name of the stack', 'Windlass')
    .option('--role <arn>', 'role to assume (the role WindlassAdmin of the account)')
    .addHelpText('after', examples(['Work with the deployed API', 'windlass kubeconfig > windlass.kubeconfig']))
    .action((options) => finish(async () => (await import('../commands/kubeconfig.ts')).kubeconfig(options)));
  program
    .command('token')
    .description('print a token for the API of windlass start')
    .action(() =>
      finish(async () => {
        process.stdout.write(`${(await import('../commands/token.ts')).token()}\n`);
        return 0;
      }),
    );
};

export const addInstallationCommands = (program: Command): void => {
  program.commandsGroup('Run Windlass:');
  addStart(program);
  addDeploy(program);
  addAccess(program);
};
