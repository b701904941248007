/** The commands that show clusters and change them, on a laptop or in AWS. */
import type { Command } from 'commander';
import { examples, finish, gather, OF_CLUSTER, oneOf, pricesOption, withContext, within } from './options.ts';

const MOST_EVENTS = 1000;

const addGet = (program: Command): void => {
  const get = program.command('get').description('list the clusters: get clusters');
  withContext(get.command('clusters'), 'namespace of the clusters (all namespaces)')
    .alias('cluster')
    .description('list clusters: phase, machines, versions, and what is wrong')
    .option('-o, --output <format>', 'text, wide (with drift and cost) or json', oneOf('text', 'wide', 'json'), 'text')
    .addOption(pricesOption())
    .addHelpText(
      'after',
      examples(
        ['The clusters of all namespaces', 'windlass get clusters'],
        ['With drift and cost, by prices of your own', 'windlass get clusters -o wide --prices prices.yaml'],
      ),
    )
    .action((options) => finish(async () => (await import('../commands/get.ts')).getClusters(options)));
};

const addDescribe = (program: Command): void => {
  const describe = program
    .command('describe')
    .description('show a cluster with all that belongs to it: describe cluster NAME');
  withContext(describe.command('cluster'), OF_CLUSTER)
    .description('show a cluster as a tree, with its problems first, its network, cost and last events')
    .argument('<name>', 'name of the cluster')
    .option('-w, --watch', 'show changes until Ctrl-C, or until the cluster is gone', false)
    .option(
      '--show-conditions <objects>',
      'show conditions of all objects, or of these: comma-separated kinds and KIND/NAME',
    )
    .option('--events <number>', 'how many of the last events are shown', within(0, MOST_EVENTS, 'a number'), 10)
    .option('-o, --output <format>', 'text or json', oneOf('text', 'json'), 'text')
    .addOption(pricesOption())
    .addHelpText(
      'after',
      examples(
        ['Watch a cluster', 'windlass describe cluster demo --watch'],
        ['With all conditions of its machines', 'windlass describe cluster demo --show-conditions Machine'],
        ['With every condition', 'windlass describe cluster demo --show-conditions all'],
      ),
    )
    .action((name, options) =>
      finish(async () => (await import('../commands/describe.ts')).describeCluster(name, options)),
    );
};

const addPlan = (program: Command): void => {
  withContext(program.command('plan'), 'namespace of objects without one (that of the context)')
    .description('show what applying manifests would do, and change nothing')
    .requiredOption('-f, --filename <file>', 'file of manifests, or - for standard input (repeatable)', gather)
    .option('-o, --output <format>', 'text or json', oneOf('text', 'json'), 'text')
    .addOption(pricesOption())
    .option('--no-preflight', 'do not check whether the account meets the needs of new clusters')
    .option('--detailed-exitcode', 'exit with 2 if something would change, as terraform plan does', false)
    .addHelpText('after', examples(['Before an upgrade is applied', 'windlass plan -f cluster.yaml']))
    .action((options) => finish(async () => (await import('../commands/plan.ts')).plan(options)));
};

const addAdopt = (program: Command): void => {
  withContext(program.command('adopt'), 'namespace of the cluster, if clusters in several namespaces have this name')
    .description('restore the objects of a cluster that runs in AWS; without --yes, only show what would be written')
    .argument('<name>', 'name of the cluster')
    .option('-f, --filename <file>', 'manifests of the cluster, for data that is not in AWS (repeatable)', gather, [])
    .option('--pki <directory>', 'directory with the files of /etc/kubernetes/pki of one of its control plane machines')
    .option('--ca-cert <file>', 'certificate of the cluster CA')
    .option('--ca-key <file>', 'key of the cluster CA')
    .option('--etcd-ca-cert <file>', 'certificate of the etcd CA')
    .option('--etcd-ca-key <file>', 'key of the etcd CA')
    .option('--proxy-ca-cert <file>', 'certificate of the front proxy CA')
    .option('--proxy-ca-key <file>', 'key of the front proxy CA')
    .option('--sa-pub <file>', 'public key of service account tokens')
    .option('--sa-key <file>', 'private key of service account tokens')
    .option('--region <name>', 'region of the cluster ($AWS_REGION)')
    .option('--endpoint <host:port>', 'endpoint of the cluster (that of its load balancers)')
    .option('--yes', 'write the objects', false)
    .action((name, options) => finish(async () => (await import('../commands/adopt.ts')).adopt(name, options)));
};

export const addClusterCommands = (program: Command): void => {
  program.commandsGroup('Clusters:');
  addGet(program);
  addDescribe(program);
  addPlan(program);
  addAdopt(program);
};
