/** A cluster whose nodes need routes, in a simulated account: the real step and the real port, and nodes in memory. */
import {
  CreateRouteCommand,
  DescribeInstancesCommand,
  DescribeRouteTablesCommand,
  TerminateInstancesCommand,
} from '@aws-sdk/client-ec2';
import type { V1Node } from '@kubernetes/client-node';
import { routeNodes } from '../../functions/cluster/workload/routes/route-nodes.ts';
import { controllerScopeOf } from '../../functions/providers/aws/aws-scope.ts';
import { routeCalls } from '../../functions/providers/aws/routes/create-port.ts';
import { makeRoutePort } from '../../functions/providers/aws/routes/port.ts';
import { silentLog } from '../../shared/log.ts';
import type { WorkloadClient } from '../../shared/workload/client.ts';
import { startServiceAccount } from '../services/account.ts';
import { makeEvents, startClusterObjects } from '../services/cluster-objects.ts';

type Account = Awaited<ReturnType<typeof startServiceAccount>>;

/** A node with the blocks that kube-controller-manager has allocated to it. */
export const routedNode = (name: string, instanceId: string, ...podCIDRs: string[]): V1Node => ({
  metadata: { name, uid: `uid-of-${name}`, labels: {}, creationTimestamp: new Date(0) },
  spec: { providerID: `aws:///us-east-1a/${instanceId}`, podCIDRs },
  status: {},
});

/** `<block> <instance>` of a table's routes to instances, and of those without a target. */
export const routesIn = async ({ ec2 }: Pick<Account, 'ec2'>, tableId: string): Promise<string[]> => {
  const { RouteTables = [] } = await ec2.send(new DescribeRouteTablesCommand({ RouteTableIds: [tableId] }));
  return (RouteTables[0]?.Routes ?? [])
    .filter(({ InstanceId, State }) => InstanceId !== undefined || State === 'blackhole')
    .map(({ DestinationCidrBlock, InstanceId, State }) => {
      const isDead = State === 'blackhole' ? ' blackhole' : '';
      return `${DestinationCidrBlock} ${InstanceId}${isDead}`;
    })
    .sort();
};

/** The instances that drop packets of pods. */
export const checkingInstances = async ({ ec2 }: Pick<Account, 'ec2'>): Promise<string[]> => {
  const { Reservations = [] } = await ec2.send(new DescribeInstancesCommand({}));
  return Reservations.flatMap(({ Instances = [] }) => Instances)
    .filter(({ SourceDestCheck, State }) => SourceDestCheck && State?.Name === 'running')
    .map(({ InstanceId = '' }) => InstanceId)
    .sort();
};

/** Terminates instances and waits until they are terminated. */
export const terminate = async ({ ec2, test }: Pick<Account, 'ec2' | 'test'>, InstanceIds: string[]): Promise<void> => {
  await ec2.send(new TerminateInstancesCommand({ InstanceIds }));
  test.clock.advance(600_000);
};

interface State {
  nodes: V1Node[];
  cloudController?: string | undefined;
}

const makeClient = (state: State) => {
  const events = makeEvents();
  const client = {
    nodes: async () => state.nodes,
    cloudController: async () => state.cloudController,
    setNodeCondition: async (name, condition) => {
      state.nodes = state.nodes.map((node) => {
        if (node.metadata?.name !== name) return node;
        const others = (node.status?.conditions ?? []).filter(({ type }) => type !== condition.type);
        return { ...node, status: { ...node.status, conditions: [...others, condition] } };
      });
    },
    ...events.api,
    close: async () => {},
  } as Partial<WorkloadClient> as WorkloadClient;
  return { client, events };
};

/** `<node> <status> <reason>` of the condition that tells whether a node's pods can be reached; sorted. */
export const networkOf = (nodes: readonly V1Node[]): string[] =>
  nodes
    .map(({ metadata, status }) => {
      const found = status?.conditions?.find(({ type }) => type === 'NetworkUnavailable');
      return `${metadata?.name} ${found ? `${found.status} ${found.reason}: ${found.message}` : 'unknown'}`;
    })
    .sort();

export const startRouteWorld = async (options: Parameters<typeof startServiceAccount>[0] = {}) => {
  const account = await startServiceAccount(options);
  const { ec2, ids, test } = account;
  const red = await startClusterObjects(ids.vpc, 'Routes');
  const [first = '', second = ''] = ids.nodes;
  const state: State = {
    nodes: [routedNode('a', first, '192.168.0.0/24'), routedNode('b', second, '192.168.1.0/24')],
  };
  const { client, events } = makeClient(state);
  const routes = makeRoutePort({ scopeOf: controllerScopeOf, ec2: () => routeCalls(ec2) });
  const step = routeNodes({
    objects: red.objects,
    clock: red.clock,
    log: silentLog,
    connect: () => client,
    providers: { aws: { routes } },
  } as unknown as Parameters<typeof routeNodes>[0]);
  return {
    ...account,
    state,
    first,
    second,
    /** Runs one pass; returns the changes of the step in the account, as `<operation>` with the code of an error. */
    pass: async (): Promise<string[]> => {
      const before = test.calls.length;
      await step(red.input);
      const calls = test.calls.slice(before).map((call) => call.replace('ec2:', ''));
      return calls.filter((call) => !call.startsWith('Describe'));
    },
    terminate: (id: string) => terminate(account, [id]),
    addRoute: (
      DestinationCidrBlock: string,
      target: { InstanceId: string } | { GatewayId: string },
      table = ids.table,
    ) => ec2.send(new CreateRouteCommand({ RouteTableId: table, DestinationCidrBlock, ...target })),
    routes: (table = ids.table) => routesIn(account, table),
    checking: () => checkingInstances(account),
    network: () => networkOf(state.nodes),
    annotate: red.annotate,
    setPodBlocks: red.setPodBlocks,
    condition: () => red.conditionOf('windlass.dev/PodsRouted'),
    events: events.told,
    refuseEvents: events.refuse,
    settled: async () => (await red.infrastructure())?.metadata.annotations?.['windlass.dev/routes'],
  };
};

export type RouteWorld = Awaited<ReturnType<typeof startRouteWorld>>;
