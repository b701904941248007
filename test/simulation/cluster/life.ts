import { takesInit } from '../../../functions/machine/objects/init-lock.ts';
import { EtcdError } from '../../../infra/local/machines/workload-cluster/etcd.ts';
import { type AWSMachine, type KubeadmConfig, kinds, type Machine } from '../../../shared/kinds/index.ts';
import { isControlPlaneMachine } from '../../../shared/plan/labels.ts';
import { withObservation } from '../../../shared/plan/machines/status.ts';
import { isObjectPaused } from '../../../shared/plan/status/paused.ts';
import { observed } from '../../../shared/providers/aws/plan/instance-facts.ts';
import { configuredVersion, isServing, joinEtcd, startCluster, takesVersion, takesWrites } from './workload.ts';
import type { SimulatedInstance, World } from './world.ts';

const uidOf = ({ metadata }: Machine): string => metadata.uid ?? '';
/** Names of nodes are never reused, like ids of instances. */
export const nodeNameOf = (instance: string): string => `node-${instance}`;

const addressOf = (instance: string): string => `10.0.0.${Number(instance.slice(2))}`;

/** Whether the machine initializes the cluster, which its own execution determines before the launch. */
const initializes = async ({ objects }: World, { metadata, spec }: Machine): Promise<boolean> => {
  const [cluster] = objects.all(kinds.cluster);
  if (!cluster || !isControlPlaneMachine({ metadata })) return false;
  if (cluster.status?.initialization?.controlPlaneInitialized) return false;
  const ref = { namespace: 'default', name: metadata.name, uid: metadata.uid ?? '', clusterName: spec.clusterName };
  return takesInit(objects, cluster, { ...ref, clusterUid: cluster.metadata.uid ?? '' });
};

const launch = (world: World, machine: Machine, first: boolean): void => {
  const id = `i-${String(world.instances.size + 1).padStart(8, '0')}`;
  world.instances.set(uidOf(machine), { id, state: 'running', initializes: first });
  const zone = machine.spec.failureDomain ?? 'a';
  world.objects.put<AWSMachine>(kinds.awsMachine, machine.metadata.name, (current) => ({
    ...current,
    spec: { ...current.spec, instanceID: id, providerID: `aws:///${zone}/${id}` },
    status: {
      ...current.status,
      ready: true,
      instanceState: 'running',
      addresses: [
        { type: 'InternalIP', address: addressOf(id) },
        { type: 'InternalDNS', address: nodeNameOf(id) },
      ],
    } as AWSMachine['status'],
  }));
};

/** Stores the observed state of a machine, as its own execution does. */
const observe = (world: World, { metadata }: Machine): void => {
  const infrastructure = world.objects.all(kinds.awsMachine).find((one) => one.metadata.name === metadata.name) ?? null;
  const config = { status: { initialization: { dataSecretCreated: true } } } as KubeadmConfig;
  world.objects.put<Machine>(kinds.machine, metadata.name, (current) =>
    withObservation(
      current,
      { ...(infrastructure ? observed(infrastructure) : { infrastructure }), config },
      world.now,
    ),
  );
};

/**
 * Adds a machine's member to etcd, without a vote until the machine is a node. False if the cluster does not accept the
 * machine now. Throws EtcdError if etcd does not accept it.
 */
export const becomeLearner = ({ instances, workload }: World, machine: Machine): boolean => {
  const instance = instances.get(uidOf(machine));
  if (!instance || instance.initializes || !isServing(workload) || !takesWrites(workload)) return false;
  if (!takesVersion(workload, machine.spec.version ?? '')) return false;
  const { id } = instance;
  workload.etcd?.addLearner(nodeNameOf(id), { owner: id, address: addressOf(id) });
  return true;
};

/**
 * A booted machine becomes a node. One that initializes creates a cluster regardless of any former one. Others join the
 * cluster if it accepts them now.
 */
const join = (world: World, machine: Machine, { id, initializes: makes }: SimulatedInstance): string | undefined => {
  const { workload } = world;
  const controlPlane = isControlPlaneMachine(machine);
  const name = nodeNameOf(id);
  const { version = '', providerID = '' } = machine.spec;
  if (makes) startCluster(workload, name, { owner: id, address: addressOf(id) }, version);
  else if (!isServing(workload) || !takesWrites(workload) || !takesVersion(workload, version)) return undefined;
  try {
    if (controlPlane && !makes) joinEtcd(workload, name, { owner: id, address: addressOf(id) });
  } catch (error) {
    if (error instanceof EtcdError) return undefined;
    throw error;
  }
  const components = configuredVersion(workload);
  const node = { name, providerID, controlPlane, version, components, alive: true, since: world.now };
  workload.nodes.set(name, node);
  return 'becomes a node';
};

const grow = async (world: World, machine: Machine): Promise<string | undefined> => {
  const infrastructure = world.objects.all(kinds.awsMachine).find((o) => o.metadata.name === machine.metadata.name);
  if (!infrastructure) return undefined;
  const instance = world.instances.get(uidOf(machine));
  if (!instance) {
    launch(world, machine, await initializes(world, machine));
    observe(world, machine);
    return 'is launched';
  }
  if (instance.state === 'terminated' || world.workload.nodes.has(nodeNameOf(instance.id))) return undefined;
  return machine.status?.nodeRef ? undefined : join(world, machine, instance);
};

/** Terminates an instance for any reason. Its etcd member, if it has one, is dead from then on. */
export const terminate = (world: World, machine: Machine): void => {
  const instance = world.instances.get(uidOf(machine));
  if (!instance) return;
  instance.state = 'terminated';
  const name = nodeNameOf(instance.id);
  world.workload.etcd?.setAlive(name, false);
  const node = world.workload.nodes.get(name);
  if (node) world.workload.nodes.set(name, { ...node, alive: false, since: world.now });
};

/** The machine's own execution removes it from etcd, and then removes the instance, the node and the objects. */
const shrink = async (world: World, machine: Machine): Promise<string | undefined> => {
  if (!(await world.leaveEtcd(machine))) return undefined;
  terminate(world, machine);
  const instance = world.instances.get(uidOf(machine));
  if (instance && isServing(world.workload)) world.workload.nodes.delete(nodeNameOf(instance.id));
  for (const kind of [kinds.awsMachine, kinds.machine]) {
    const without = <T extends { metadata: object }>(object: T): T => ({
      ...object,
      metadata: { ...object.metadata, finalizers: [] },
    });
    world.objects.remove(kind as typeof kinds.machine, machine.metadata.name);
    world.objects.put(kind as typeof kinds.machine, machine.metadata.name, without);
  }
  return 'is gone';
};

/** The next stage of a machine's lifecycle. Returns a description, or nothing. */
export const advance = async (world: World, name: string): Promise<string | undefined> => {
  const machine = world.objects.all(kinds.machine).find(({ metadata }) => metadata.name === name);
  if (!machine || isObjectPaused(machine)) return undefined;
  return machine.metadata.deletionTimestamp ? shrink(world, machine) : grow(world, machine);
};

/** Changes whether a node's kubelet and its etcd member respond. */
export const setAlive = (world: World, machine: Machine, alive: boolean): void => {
  const instance = world.instances.get(uidOf(machine));
  const node = instance && world.workload.nodes.get(nodeNameOf(instance.id));
  if (!node || instance.state === 'terminated') return;
  world.workload.nodes.set(node.name, { ...node, alive, since: world.now });
  world.workload.etcd?.setAlive(node.name, alive);
};
