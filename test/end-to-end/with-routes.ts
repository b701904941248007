/** Routes to the pods of a workload cluster's nodes, from the first routes until the nodes' blocks have changed. */
import { DescribeInstancesCommand, DescribeRouteTablesCommand } from '@aws-sdk/client-ec2';
import type { CoreV1Api, V1Node } from '@kubernetes/client-node';
import { CORE, type TestLaptop } from './laptop.ts';

type Laptop = Pick<TestLaptop, 'api' | 'ec2' | 'until' | 'workload'>;

const annotate = (laptop: Laptop, cluster: string, annotations: Record<string, string>) =>
  laptop.api.send(
    'PATCH',
    `${CORE}/clusters/${cluster}`,
    { metadata: { annotations } },
    'application/merge-patch+json',
  );

const blockOf = ({ spec }: V1Node): string => spec?.podCIDRs?.[0] ?? '';
const instanceOf = ({ spec }: V1Node): string => spec?.providerID?.split('/').at(-1) ?? '';

/** The number of route tables with routes to the pods of each node; 0 if it differs between nodes. */
const tablesWithAll = async ({ ec2 }: Laptop, nodes: readonly V1Node[]): Promise<number> => {
  const { RouteTables = [] } = await ec2.send(new DescribeRouteTablesCommand({}));
  const counts = nodes.map(
    (node) =>
      RouteTables.filter(({ Routes = [] }) =>
        Routes.some((one) => one.DestinationCidrBlock === blockOf(node) && one.InstanceId === instanceOf(node)),
      ).length,
  );
  return new Set(counts).size === 1 ? (counts[0] ?? 0) : 0;
};

const routesTo = async ({ ec2 }: Laptop, block: string): Promise<number> => {
  const { RouteTables = [] } = await ec2.send(new DescribeRouteTablesCommand({}));
  return RouteTables.flatMap(({ Routes = [] }) => Routes).filter(
    ({ DestinationCidrBlock }) => DestinationCidrBlock === block,
  ).length;
};

const acceptPackets = async ({ ec2 }: Laptop, nodes: readonly V1Node[]): Promise<boolean> => {
  const { Reservations = [] } = await ec2.send(new DescribeInstancesCommand({ InstanceIds: nodes.map(instanceOf) }));
  return Reservations.flatMap(({ Instances = [] }) => Instances).every(({ SourceDestCheck }) => !SourceDestCheck);
};

const isRouted = ({ status }: V1Node): boolean =>
  status?.conditions?.some(({ type, reason }) => type === 'NetworkUnavailable' && reason === 'RouteCreated') === true;

/** Gives a node another block, which only the simulated API server permits. */
const giveBlock = async (laptop: Laptop, workload: CoreV1Api, name: string, block: string): Promise<void> => {
  await laptop.until(`node ${name} has block ${block}`, async () => {
    const node = await workload.readNode({ name });
    if (blockOf(node) === block) return true;
    const spec = { ...node.spec, podCIDR: block, podCIDRs: [block] };
    // Its controllers may write at the same time.
    await workload.replaceNode({ name, body: { ...node, spec } }).catch(() => undefined);
    return false;
  });
};

/** Covers every call that routes can cause. */
export const liveWithRoutes = async (laptop: Laptop, cluster: string): Promise<void> => {
  const workload = await laptop.workload(cluster);
  const read = async () => (await workload.listNode()).items;
  let passes = 0;
  const untilRouted = async (what: string): Promise<void> => {
    passes += 1;
    await annotate(laptop, cluster, { 'windlass.dev/reconcile-requested-at': `2030-02-28T12:00:0${passes}Z` });
    await laptop.until(what, async () => (await tablesWithAll(laptop, await read())) > 0);
  };
  await annotate(laptop, cluster, { 'windlass.dev/cloud-controller': 'Services,Routes' });
  await laptop.until('all nodes have routes', async () => (await read()).every(isRouted));
  const nodes = await read();
  await laptop.until('instances accept the packets of pods', () => acceptPackets(laptop, nodes));
  const [first, second] = nodes;
  if (!first || !second) throw new Error('two nodes are needed');

  await giveBlock(laptop, workload, first.metadata?.name ?? '', blockOf(second));
  await giveBlock(laptop, workload, second.metadata?.name ?? '', blockOf(first));
  await untilRouted('routes are replaced after two nodes have exchanged their blocks');

  const free = blockOf(first).replace(/\.\d+\.0\//, '.250.0/');
  await giveBlock(laptop, workload, first.metadata?.name ?? '', free);
  await untilRouted('the route of a new block is made');
  await laptop.until(
    'the route of the former block is removed',
    async () => (await routesTo(laptop, blockOf(second))) === 0,
  );
};
