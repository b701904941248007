/** Changes by users of the workload cluster to its Services, and by others to their resources in the account. */

import { DeleteRouteCommand, ModifyInstanceAttributeCommand } from '@aws-sdk/client-ec2';
import { DeleteLoadBalancerCommand as DeleteClassicCommand } from '@aws-sdk/client-elastic-load-balancing';
import {
  DeleteListenerCommand,
  DeleteLoadBalancerCommand,
  DeregisterTargetsCommand,
} from '@aws-sdk/client-elastic-load-balancing-v2';
import { node, service } from '../../../../infra/local/machines/workload-cluster/kinds.ts';
import { isOfCluster } from '../machine-order.ts';
import { isOfServices } from '../stories/balancers.ts';
import {
  CLOUD_CONTROLLER,
  changeService,
  DUTIES,
  EXCLUDED,
  inside,
  removeService,
  serviceOf,
  servicesOf,
} from '../stories/services.ts';
import { CLUSTER } from '../user.ts';
import { instanceOfFirst } from '../workers.ts';
import { type Change, type Dice, liveWorkers, type Place } from './change.ts';

const NAMES = ['a', 'b', 'c'];
const PORTS = [80, 443, 8080];

type ServiceSpec = Parameters<typeof changeService>[2];

/** Gives a Service one or more ports. */
const portsBy = ({ roll }: Dice) =>
  PORTS.slice(roll(PORTS.length)).map((port) => ({ name: `p${port}`, port, targetPort: 8080 }));

/** A change to an existing Service. */
const ofService =
  (change: (dice: Dice) => ServiceSpec): Change =>
  async ({ world }, dice) => {
    const found = dice.one((await servicesOf(world)).filter(({ metadata }) => !metadata.deletionTimestamp));
    if (found === undefined) return undefined;
    const spec = change(dice);
    await changeService(world, found.metadata.name, spec);
    return `gives Service ${found.metadata.name} ${JSON.stringify(spec)}`;
  };

export const SERVICES: Readonly<Record<string, Change>> = {
  create: async ({ world }, dice) => {
    const name = dice.one(NAMES) ?? '';
    const isThere = (await servicesOf(world)).some(({ metadata }) => metadata.name === name);
    if (isThere) return undefined;
    const isClassic = dice.roll(2) === 0;
    await inside(world).ensure(service, serviceOf(name, isClassic, { ports: portsBy(dice) }));
    return `creates Service ${name} with a ${isClassic ? 'classic' : 'network'} load balancer`;
  },
  remove: async ({ world }, { one }) => {
    const found = one(await servicesOf(world));
    if (found === undefined) return undefined;
    await removeService(world, found.metadata.name);
    return `deletes Service ${found.metadata.name}`;
  },
  changePorts: ofService((dice) => ({ ports: portsBy(dice) })),
  changeSources: ofService(({ one }) => ({
    loadBalancerSourceRanges: one([['10.1.0.0/16'], ['10.1.0.0/16', '10.2.0.0/16'], ['0.0.0.0/0']]) ?? [],
  })),
  changePolicy: ofService(({ one }) => ({ externalTrafficPolicy: one(['Local', 'Cluster']) ?? '' })),
  changeType: ofService(({ one }) => ({ type: one(['ClusterIP', 'LoadBalancer']) ?? '' })),
  changeDuties: async ({ user }, { one }) => {
    const duties = one([null, 'Services', 'Routes', DUTIES]) ?? null;
    await user.patch('Cluster', CLUSTER, { metadata: { annotations: { [CLOUD_CONTROLLER]: duties } } });
    return duties === null ? 'wants no load balancers and routes' : `wants ${duties}`;
  },
  excludeNode: async (place, { one }) => {
    const machine = one((await liveWorkers(place)).filter(isOfCluster));
    const name = machine?.status?.nodeRef?.name;
    if (name === undefined) return undefined;
    let isExcluded = false;
    await inside(place.world).mutate(node, { namespace: '', name }, (current) => {
      const { [EXCLUDED]: former, ...labels } = current.metadata.labels ?? {};
      isExcluded = former === undefined;
      return {
        ...current,
        metadata: { ...current.metadata, labels: isExcluded ? { ...labels, [EXCLUDED]: '' } : labels },
      };
    });
    return `${isExcluded ? 'excludes' : 'includes'} node ${name}`;
  },
};

const accountOf = ({ world }: Place) => world.account;

/** A change that counts as impossible if AWS refuses it. */
const unlessRefused =
  (change: Change): Change =>
  (...given) =>
    change(...given).catch((error: unknown) => {
      if ((error as { $fault?: string }).$fault === 'client') return undefined;
      throw error;
    });

/** Changes in the account by people who should not make them. */
export const BALANCING: Readonly<Record<string, Change>> = {
  deleteBalancer: unlessRefused(async (place, { one }) => {
    const found = one([...accountOf(place).elbv2().loadBalancers].filter(([, one]) => isOfServices(one)));
    if (found === undefined) return undefined;
    await place.elbv2.send(new DeleteLoadBalancerCommand({ LoadBalancerArn: found[0] }));
    return `load balancer ${found[1].name} is deleted`;
  }),
  deleteClassic: unlessRefused(async (place, { one }) => {
    const found = one([...accountOf(place).elb().loadBalancers.values()].filter(isOfServices));
    if (found === undefined) return undefined;
    await place.elb.send(new DeleteClassicCommand({ LoadBalancerName: found.name }));
    return `classic load balancer ${found.name} is deleted`;
  }),
  deleteListener: unlessRefused(async (place, { one }) => {
    const found = one([...accountOf(place).elbv2().listeners].filter(([, one]) => isOfServices(one)));
    if (found === undefined) return undefined;
    await place.elbv2.send(new DeleteListenerCommand({ ListenerArn: found[0] }));
    return `listener ${found[1].port} of a Service is deleted`;
  }),
  deregister: unlessRefused(async (place, { one }) => {
    const [arn, group] = one([...accountOf(place).elbv2().targetGroups].filter(([, one]) => isOfServices(one))) ?? [];
    const target = one([...(group?.targets.values() ?? [])]);
    if (target === undefined) return undefined;
    const Targets = [{ Id: target.instanceId, Port: target.port }];
    await place.elbv2.send(new DeregisterTargetsCommand({ TargetGroupArn: arn, Targets }));
    return `target ${target.instanceId} of a Service is deregistered`;
  }),
  deleteRoute: unlessRefused(async (place, { one }) => {
    const tables = accountOf(place).ec2().routeTables.all();
    const routes = tables.flatMap(({ id, routes }) =>
      routes.filter(({ target }) => target.kind === 'instance').map(({ destination }) => ({ id, destination })),
    );
    const found = one(routes);
    if (found === undefined) return undefined;
    const { id: RouteTableId, destination: DestinationCidrBlock } = found;
    await place.ec2.send(new DeleteRouteCommand({ RouteTableId, DestinationCidrBlock }));
    return `the route to ${DestinationCidrBlock} in ${RouteTableId} is deleted`;
  }),
  checkSource: unlessRefused(async (place, { one }) => {
    const machine = one((await liveWorkers(place)).filter(isOfCluster));
    const instance = machine && instanceOfFirst([machine], accountOf(place));
    if (instance === undefined) return undefined;
    const [InstanceId, SourceDestCheck] = [instance.id, { Value: true }];
    await place.ec2.send(new ModifyInstanceAttributeCommand({ InstanceId, SourceDestCheck }));
    return `the source check of ${InstanceId} is switched on`;
  }),
};

/** Requests a pass as a user, which repairs load balancers and routes that others have changed. */
export const requestPass = ({ user }: Place): Promise<void> =>
  user.patch('Cluster', CLUSTER, {
    metadata: { annotations: { [CLOUD_CONTROLLER]: DUTIES, 'simulation/pass': new Date().toISOString() } },
  });
