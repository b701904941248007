/**
 * Services of type LoadBalancer in the workload cluster, and routes to its pods; Windlass creates the resources for
 * both.
 */
import type { Account } from '../../../../infra/local/account.ts';
import { node, service } from '../../../../infra/local/machines/workload-cluster/kinds.ts';
import type { Node } from '../../../../infra/local/machines/workload-cluster/objects.ts';
import type { Service } from '../../../../infra/local/machines/workload-cluster/service-object.ts';
import type { ObjectClient } from '../../../../shared/kube-api/storage/client.ts';
import { instanceIdIn } from '../../../../shared/providers/aws/plan/launch/instance.ts';
import { serviceBalancerName } from '../../../../shared/providers/aws/services/names.ts';
import { CLUSTER, DEPLOYMENT, type Sizes, type User } from '../user.ts';
import { isOwned } from '../verdicts/judge.ts';
import type { World } from '../world.ts';
import { type Balancer, balancersIn, isOfServices, ruledBalancers } from './balancers.ts';
import type { Step } from './step.ts';

export const CLOUD_CONTROLLER = 'windlass.dev/cloud-controller';
export const DUTIES = 'Services,Routes';
export const EXCLUDED = 'node.kubernetes.io/exclude-from-external-load-balancers';
const BALANCER_TYPE = 'service.beta.kubernetes.io/aws-load-balancer-type';
const NETWORK = 'nlb';

const NAMESPACE = 'default';

/** The spec of a Service, without the fields that the API server adds. */
export type Spec = Service['spec'];

/** A Service with a network load balancer or a classic one. */
export const serviceOf = (name: string, isClassic: boolean, spec: Spec = {}): Service => ({
  ...{ apiVersion: 'v1', kind: 'Service' },
  metadata: { name, namespace: NAMESPACE, ...(isClassic ? {} : { annotations: { [BALANCER_TYPE]: NETWORK } }) },
  spec: { type: 'LoadBalancer', selector: { app: name }, ports: [{ port: 80, targetPort: 8080 }], ...spec },
});

/** A client with all permissions in the workload cluster. It uses the first cluster, because there may be a copy. */
export const inside = ({ laptop }: Pick<World, 'laptop'>): ObjectClient => {
  const [cluster] = laptop.clusters();
  if (cluster === undefined) throw new Error('there is no workload cluster');
  return cluster.objects;
};

export const changeService = (world: World, name: string, spec: Spec): Promise<unknown> =>
  inside(world).mutate(service, { namespace: NAMESPACE, name }, (current) => ({
    ...current,
    spec: { ...current.spec, ...spec },
  }));

export const removeService = (world: World, name: string): Promise<void> =>
  inside(world).delete(service, { namespace: NAMESPACE, name });

export const servicesOf = (world: World): Promise<Service[]> => inside(world).list<Service>(service, NAMESPACE);

const isSame = <T>(a: readonly T[], b: readonly T[]): boolean =>
  a.length === b.length && a.every((one) => b.includes(one));

/** The instances of the nodes that are targets of load balancers. */
const targetsAmong = (nodes: readonly Node[]): string[] =>
  nodes
    .filter(({ metadata }) => metadata.labels?.[EXCLUDED] === undefined)
    .flatMap(({ spec }) => instanceIdIn(spec?.providerID ?? '') ?? []);

const nameOf = ({ metadata: { uid = '' } }: Service): string => serviceBalancerName({ uid });

/** The differences of a Service's load balancer from the Service. */
const unmetByService = (one: Service, balancer: Balancer | undefined, targets: readonly string[]): string[] => {
  const { name } = one.metadata;
  if (balancer === undefined) return [`Service ${name} has no load balancer`];
  const ports = (one.spec?.ports ?? []).map(({ port }) => port);
  const [ingress] = one.status?.loadBalancer?.ingress ?? [];
  return [
    ...(isSame(balancer.ports, ports) ? [] : [`Service ${name} has listeners for ${balancer.ports.join()}`]),
    ...(balancer.targets.every((all) => isSame(all, targets)) ? [] : [`Service ${name} has other targets`]),
    ...(ingress?.hostname === balancer.dnsName || ingress?.ip === balancer.dnsName
      ? []
      : [`Service ${name} does not name its load balancer`]),
  ];
};

/** Resources in the account that no Service needs any more. */
const leftOf = (account: Account, balancers: readonly Balancer[], wanted: readonly Service[]): string[] => {
  const names = wanted.map(nameOf);
  const elb = account.elbv2();
  const used = new Set([...elb.listeners.values()].map(({ targetGroupArn }) => targetGroupArn));
  const unused = [...elb.targetGroups].filter(([arn, group]) => isOfServices(group) && !used.has(arn));
  const classic = balancers.filter(({ isClassic }) => isClassic).length;
  const groups = account.ec2().securityGroups.all().filter(isOfServices).length;
  return [
    ...balancers.filter(({ name }) => !names.includes(name)).map(({ name }) => `load balancer ${name} is left`),
    ...unused.map(([, { name }]) => `target group ${name} is left`),
    ...(groups === classic ? [] : [`${groups} security groups are there for ${classic} load balancers`]),
    ...[...ruledBalancers(account)].filter((name) => !names.includes(name)).map((name) => `rules of ${name} are left`),
  ];
};

const unmetByServices = async (world: World, nodes: readonly Node[]): Promise<string[]> => {
  const { account } = world;
  const services = await servicesOf(world);
  const leaving = services.filter(({ metadata }) => metadata.deletionTimestamp);
  const wanted = services.filter(({ spec }) => spec?.type === 'LoadBalancer');
  const held = services.filter((one) => one.spec?.type !== 'LoadBalancer' && one.metadata.finalizers?.length);
  const balancers = balancersIn(account);
  const ruled = ruledBalancers(account);
  const targets = targetsAmong(nodes);
  const unruled = targets.length > 0 ? wanted.filter((one) => !ruled.has(nameOf(one))) : [];
  const found = (one: Service) => balancers.find(({ name }) => name === nameOf(one));
  return [
    ...leaving.map(({ metadata }) => `Service ${metadata.name} is still being deleted`),
    ...held.map(({ metadata }) => `Service ${metadata.name} still has its finalizer`),
    ...wanted.flatMap((one) => unmetByService(one, found(one), targets)),
    ...unruled.map(({ metadata }) => `Service ${metadata.name} has no rules`),
    ...leftOf(account, balancers, wanted),
  ];
};

/** The routes whose targets are instances, as `<table> <block> <instance>`. */
const routesIn = (account: Account): string[] =>
  account
    .ec2()
    .routeTables.all()
    .flatMap(({ id, routes }) =>
      routes.flatMap(({ destination, target }) =>
        target.kind === 'instance' ? [`${id} ${destination} ${target.id}`] : [],
      ),
    );

const unmetByRoutes = (account: Account, nodes: readonly Node[]): string[] => {
  const own = account.ec2().routeTables.all().filter(isOwned);
  const wanted = nodes.flatMap(({ spec }) =>
    (spec?.podCIDRs ?? []).flatMap((block) =>
      own.map(({ id }) => `${id} ${block} ${instanceIdIn(spec?.providerID ?? '')}`),
    ),
  );
  const found = routesIn(account);
  return [
    ...wanted.filter((route) => !found.includes(route)).map((route) => `the route ${route} is missing`),
    ...found.filter((route) => !wanted.includes(route)).map((route) => `the route ${route} is left`),
  ];
};

/** The differences between the account and the workload cluster's Services and nodes; empty if there are none. */
export const unmetByDuties = async (world: World): Promise<string[]> => {
  const nodes = await inside(world).list<Node>(node);
  return [...(await unmetByServices(world, nodes)), ...unmetByRoutes(world.account, nodes)];
};

const lacks: NonNullable<Step['lacks']> = async (_, world) => {
  const found = await unmetByDuties(world);
  return found.length > 0 ? found.join('; ') : undefined;
};

const STAYING = serviceOf('staying', true);
const CLASSIC = serviceOf('classic', true);
const BALANCED = serviceOf('balanced', false);

/** Services of both kinds, two of which still exist when the cluster is deleted. */
export const balancedServices = (sizes: Sizes): Step[] => {
  const more = { ...sizes, workers: sizes.workers + 1 };
  return [
    {
      name: 'create Services',
      sizes,
      act: async (_, world) => {
        for (const one of [STAYING, CLASSIC, BALANCED]) await inside(world).ensure(service, one);
      },
      lacks,
    },
    {
      name: 'change Services',
      sizes,
      act: async (_, world) => {
        await changeService(world, CLASSIC.metadata.name, { ports: [{ port: 80 }, { name: 'tls', port: 443 }] });
        await changeService(world, BALANCED.metadata.name, {
          ...{ ports: [{ port: 8080 }], loadBalancerSourceRanges: ['10.1.0.0/16'] },
        });
      },
      lacks,
    },
    {
      name: 'scale a cluster with Services',
      sizes: more,
      act: (user) => user.patch('MachineDeployment', DEPLOYMENT, { spec: { replicas: more.workers } }),
      lacks,
    },
    {
      name: 'delete a Service',
      sizes: more,
      act: (_, world) => removeService(world, CLASSIC.metadata.name),
      lacks,
    },
  ];
};

/** Requests that Windlass manages load balancers and routes. */
export const requestDuties = (user: User): Promise<void> =>
  user.patch('Cluster', CLUSTER, { metadata: { annotations: { [CLOUD_CONTROLLER]: DUTIES } } });
