import type { Machine } from '../../shared/kinds/index.ts';
import type { HealthConditions } from '../../shared/plan/control-plane/distribution-rules.ts';
import type { EtcdView } from '../../shared/plan/control-plane/etcd-view.ts';
import { planLeave } from '../../shared/plan/control-plane/leave-etcd.ts';
import { serversWithout } from '../../shared/plan/control-plane/servers.ts';
import { isTrue } from '../../shared/plan/status/conditions.ts';
import { count, some } from '../../shared/plan/words.ts';
import { controlPlaneMachines, isControlledBy, workerMachines } from '../cluster/snapshot.ts';
import type { Change } from './reads.ts';
import type { World } from './world.ts';

const instancesOf = ({ snapshot }: World, machines: readonly Machine[]): string[] =>
  machines.flatMap(({ metadata }) => snapshot.infrastructureMachines.get(metadata.name)?.facts.name ?? []);

const infrastructureNotes = ({ snapshot: { infrastructureCluster, provider } }: World): readonly string[] =>
  (infrastructureCluster && provider?.preview.deletion(infrastructureCluster)) ?? [];

/** A group is deleted with all its instances, which are included in the number of workers. */
const groupNotes = ({ pools }: World): string[] => {
  const names = pools.filter(({ infrastructure }) => infrastructure !== null).map(({ pool }) => pool.metadata.name);
  if (names.length === 0) return [];
  return names.length === 1
    ? [`the group of MachinePool ${some(names)} is deleted with its instances`]
    : [`the groups of MachinePools ${some(names)} are deleted with their instances`];
};

const clusterNotes = (world: World): string[] => {
  const { snapshot } = world;
  const [control, workers] = [controlPlaneMachines(snapshot), workerMachines(snapshot)];
  const instances = instancesOf(world, [...workers, ...control]);
  return [
    `Cluster ${snapshot.cluster.metadata.name} is deleted with everything in it: first ${count(workers.length, 'worker')}, then ${count(control.length, 'control plane machine')}, without a drain`,
    ...(instances.length > 0
      ? [`${count(instances.length, 'instance')} with all their volumes: ${some(instances)}`]
      : []),
    ...groupNotes(world),
    ...infrastructureNotes(world),
    'volumes of PersistentVolumeClaims stay unless the workloads delete them first',
  ];
};

/** The state of etcd after a control plane machine is deleted, as far as conditions show it. */
const quorumNotes = ({ snapshot }: World, machine: Machine, health: HealthConditions): string[] => {
  const machines = controlPlaneMachines(snapshot);
  const members = machines
    .filter(
      ({ metadata, status }) =>
        status?.nodeRef && (!metadata.deletionTimestamp || metadata.name === machine.metadata.name),
    )
    .map(({ metadata: { name }, status }) => ({
      member: { id: name, name, hosts: [], learner: false },
      healthy: isTrue(status?.conditions, 'EtcdMemberHealthy'),
    }));
  const view: EtcdView = {
    members: members.map(({ member }) => member),
    reachable: new Set(members.flatMap(({ member, healthy }) => (healthy ? [member.id] : []))),
    alarms: new Map(),
    leader: '',
  };
  const leaving = { node: machine.metadata.name, addresses: [] };
  const others = machines.filter(({ metadata }) => metadata.uid !== machine.metadata.uid);
  const servers = serversWithout(machine, others, health).map(({ metadata }) => metadata.name);
  const step = planLeave(view, { leaving, successors: [], nodes: undefined, elsewhere: [], servers });
  return step.do === 'wait'
    ? [`its etcd member cannot be removed: ${step.why}; until then Machine ${machine.metadata.name} stays`]
    : [];
};

/** A group replaces an instance that is deleted. */
const poolNotes = ({ pools }: World, machine: Machine): string[] => {
  const owner = pools.find(({ pool }) => isControlledBy(machine, pool))?.pool.metadata.name;
  return owner
    ? [`MachinePool ${owner} launches another instance to replace it: scale the pool down to have fewer`]
    : [];
};

const machineNotes = (world: World, machine: Machine): string[] => {
  const { snapshot } = world;
  const isControlPlane = controlPlaneMachines(snapshot).some(({ metadata }) => metadata.uid === machine.metadata.uid);
  const [instance] = instancesOf(world, [machine]);
  const what = instance ? `instance ${instance} is terminated with its volumes` : 'no instance exists';
  const { distribution, controlPlane } = snapshot;
  const etcd =
    isControlPlane && controlPlane && distribution?.etcd?.(controlPlane) && distribution.healthConditions(controlPlane);
  return [
    `Machine ${machine.metadata.name} is deleted${etcd ? ' after its etcd member is removed' : ''}: ${what}`,
    ...(etcd ? quorumNotes(world, machine, etcd) : []),
    ...poolNotes(world, machine),
  ];
};

/** What is deleted with an object whose deletion is previewed. The planners decide what its owners do then. */
export const deletionNotes = ({ object, resource }: Change, world: World): string[] => {
  if (object.metadata.deletionTimestamp === undefined) return [];
  if (resource.kind === 'Cluster') return clusterNotes(world);
  if (resource.kind === 'Machine') return machineNotes(world, object as Machine);
  const isPart =
    resource.kind === world.snapshot.provider?.cluster.kind || resource.kind === world.snapshot.controlPlane?.kind;
  const going = world.snapshot.cluster.metadata.deletionTimestamp !== undefined;
  return isPart && !going
    ? [`${object.kind} ${object.metadata.name} stays until its Cluster is deleted: nothing else is deleted`]
    : [];
};
