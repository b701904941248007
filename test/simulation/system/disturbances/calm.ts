/** The end of disturbances: users undo changes that prevent the desired state. */
import type { Cluster } from '../../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../../shared/kube-api/object.ts';
import { ANNOTATION } from '../../../../shared/plan/labels.ts';
import { POOL } from '../stories/further-machines.ts';
import { CLUSTER, named, unlessGone } from '../user.ts';
import { removeAlone, restoreChecks } from './alone.ts';
import type { Place } from './change.ts';
import { restoreEndpoints } from './endpoint.ts';
import { infrastructureOf } from './foundation.ts';
import { POOLS } from './pool.ts';
import { DEFER, groupsOf } from './topology.ts';
import { HOOK, WORKERS } from './workers.ts';

/** The kinds of objects that may be paused, or held by a hook. */
const HELD = [
  'MachineDeployment',
  'MachinePool',
  'AWSMachinePool',
  'KubeadmControlPlane',
  'RKE2ControlPlane',
  'Machine',
];

/** Resumes everything that is paused or held, even if a function that outlived its caller has paused it late. */
export const release = async ({ user }: Place): Promise<void> => {
  for (const { metadata, spec } of await user.list<Cluster>('Cluster'))
    if (spec.paused) await user.patch('Cluster', metadata.name, { spec: { paused: false } }).catch(unlessGone);
  for (const kind of HELD)
    for (const { metadata } of await user.list<KubeObject>(kind)) {
      const held = [ANNOTATION.paused, HOOK].filter((key) => metadata.annotations?.[key] !== undefined);
      if (held.length === 0) continue;
      const annotations = Object.fromEntries(held.map((key) => [key, null]));
      await user.patch(kind, metadata.name, { metadata: { annotations } }).catch(unlessGone);
    }
};

/** Upgrades the groups of a topology whose upgrade was deferred. */
const upgradeGroups = async ({ user }: Place, cluster: Cluster): Promise<void> => {
  const groups = groupsOf(cluster).map(({ metadata, ...group }) => {
    const { [DEFER]: _, ...annotations } = metadata?.annotations ?? {};
    return { ...group, metadata: { ...metadata, annotations } };
  });
  const topology = { workers: groups.length > 0 ? { machineDeployments: groups } : null };
  await user.patch('Cluster', cluster.metadata.name, { spec: { topology } });
};

/** Ends all disturbances, except for those that controllers must repair. */
export const calm = async (place: Place): Promise<void> => {
  const { user, world } = place;
  const cluster = await named<Cluster>(user, 'Cluster', CLUSTER);
  const infrastructure = await infrastructureOf(user);
  if (infrastructure?.spec.bastion?.enabled)
    await user.patch('AWSCluster', infrastructure.metadata.name, { spec: { bastion: { enabled: false } } });
  await restoreEndpoints(place);
  await removeAlone(user);
  for (const { etcd } of world.laptop.clusters()) for (const { name } of etcd.members()) etcd.setFull(name, false);
  await release(place);
  if (await named(user, 'AWSMachinePool', POOL))
    await user.patch('AWSMachinePool', POOL, { spec: { suspendProcesses: null } }).catch(unlessGone);
  if (cluster?.spec.topology) {
    await upgradeGroups(place, cluster);
    return;
  }
  await restoreChecks(user);
  // As in upstream, a worker with an older minor version than the control plane is not created, or cannot join.
  const dice = { roll: () => 0, one: <Item>(items: readonly Item[]) => items[0] };
  await WORKERS.followVersion?.(place, dice);
  await POOLS.followVersion?.(place, dice)?.catch(unlessGone);
};
