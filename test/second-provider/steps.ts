/** The provider's part: instances in memory, each of which becomes a node of the workload cluster once booted. */

import { readCluster } from '../../functions/cluster/snapshot.ts';
import { type MachineSnapshot, readMachine } from '../../functions/machine/read-machine.ts';
import { withRemoval } from '../../functions/machine/removal.ts';
import type { Clock } from '../../shared/clock.ts';
import { kinds } from '../../shared/kinds/index.ts';
import type { KubeObject } from '../../shared/kube-api/object.ts';
import type { ObjectClient } from '../../shared/kube-api/storage/client.ts';
import { withObservation } from '../../shared/plan/machines/status.ts';
import { DONE } from '../../shared/plan/machines/waiting.ts';
import type { WorkStore } from '../../shared/store/work/work.ts';
import type { ConvergeInput, MachineInput, ProgressResult } from '../../shared/work/payloads.ts';
import { joinEtcd, startCluster, type Workload } from '../simulation/cluster/workload.ts';
import { plain, providerIdOf } from './infrastructure.ts';
import { type PlainMachine, plainCluster, plainMachine } from './kinds.ts';

const BOOT_SECONDS = 30;

interface Instance {
  bootsAt: number;
  /** The machine's boot data. */
  data: string;
}

/** The existing machines, whoever requested them. */
export interface Rack {
  instances: Map<string, Instance>;
  /** Machines behind the endpoint. */
  attached: Set<string>;
  /** Every instance that was ever created. */
  made: string[];
}

export const newRack = (): Rack => ({ instances: new Map(), attached: new Set(), made: [] });

export interface PlainDependencies {
  objects: ObjectClient;
  work: Pick<WorkStore, 'recordRemoval'>;
  clock: Clock;
  rack: Rack;
  workload: Workload;
}

const keyOf = ({ metadata }: KubeObject) => ({ namespace: metadata.namespace ?? '', name: metadata.name });

const clusterSteps = ({ objects, rack }: PlainDependencies) => {
  const ready = async () => ({ ready: true });
  return {
    foundation: ready,
    egress: ready,
    endpoint: async ({ cluster }: ConvergeInput) => {
      const { infrastructureCluster: found } = (await readCluster(objects, cluster)) ?? {};
      if (!found || found.metadata.deletionTimestamp) return { ready: false };
      await objects.mutate(plainCluster, keyOf(found), (current) => ({
        ...current,
        spec: { ...current.spec, controlPlaneEndpoint: { host: 'rack.example.com', port: 6443 } },
        status: { ...current.status, ready: true, failureDomains: { rack: { controlPlane: true } } },
      }));
      return { ready: true };
    },
    removeEndpoint: async () => ({ done: rack.attached.size === 0 }),
    removeFoundation: async ({ cluster }: ConvergeInput) => {
      const { infrastructureCluster: found } = (await readCluster(objects, cluster)) ?? {};
      if (!found?.metadata.deletionTimestamp) return {};
      await objects.mutate(plainCluster, keyOf(found), (current) => ({
        ...current,
        metadata: {
          ...current.metadata,
          finalizers: current.metadata.finalizers?.filter((one) => one !== plain.finalizers.cluster),
        },
      }));
      return {};
    },
  };
};

/** Makes a booted instance a node: the first one starts the cluster, according to its bootstrap data. */
const join = ({ workload, clock }: PlainDependencies, name: string, { data }: Instance, found: MachineSnapshot) => {
  if (workload.nodes.has(name)) return;
  const controlPlane = 'cluster.x-k8s.io/control-plane' in (found.machine.metadata.labels ?? {});
  const body = Buffer.from(data, 'base64').toString();
  const version = found.machine.spec.version ?? '';
  const host = { owner: name, address: `10.0.0.${workload.nodes.size + 1}` };
  if (/kubeadm init /.test(body)) startCluster(workload, name, host, version);
  else if (!workload.etcd) return;
  else if (controlPlane) joinEtcd(workload, name, host);
  workload.nodes.set(name, {
    ...{ name, controlPlane, version, alive: true, components: version, since: clock.now() },
    providerID: providerIdOf(name),
  });
};

const launch =
  ({ objects, rack, clock }: PlainDependencies) =>
  async ({ machine: ref }: MachineInput) => {
    const found = await readMachine(objects, ref);
    const machine = found?.infrastructureMachine?.object;
    if (!found || !machine || machine.spec.providerID) return {};
    const name = machine.metadata.name;
    const secret = await objects.get(kinds.secret, {
      namespace: ref.namespace,
      name: found.machine.spec.bootstrap.dataSecretName ?? '',
    });
    if (!rack.instances.has(name)) {
      rack.made.push(name);
      const bootsAt = clock.now().getTime() + BOOT_SECONDS * 1000;
      rack.instances.set(name, { bootsAt, data: secret?.data?.value ?? '' });
    }
    await objects.mutate(plainMachine, keyOf(machine), (current) => ({
      ...current,
      spec: { ...current.spec, providerID: providerIdOf(name) },
      status: { ...current.status, state: 'booting' as const },
    }));
    return {};
  };

const report = async (
  deps: PlainDependencies,
  found: MachineSnapshot,
  change: (current: PlainMachine) => PlainMachine,
) => {
  const machine = found.infrastructureMachine?.object;
  const infrastructure = machine && (await deps.objects.mutate(plainMachine, keyOf(machine), change));
  if (!infrastructure) return;
  const { zone } = plain.instance(infrastructure);
  await deps.objects.mutate(kinds.machine, keyOf(found.machine), (current) =>
    withObservation(current, { infrastructure, zone }, deps.clock.now()),
  );
};

const machineSteps = (deps: PlainDependencies) => {
  const { objects, work, rack, clock, workload } = deps;
  const nameOf = async ({ machine: ref }: MachineInput) => {
    const found = await readMachine(objects, ref);
    return { found, name: found?.infrastructureMachine?.facts.name };
  };
  return {
    launchInstance: launch(deps),
    observeInstance: async (input: MachineInput): Promise<ProgressResult> => {
      const { found, name = '' } = await nameOf(input);
      const instance = rack.instances.get(name);
      if (!found || !instance || found.machine.metadata.deletionTimestamp)
        return { progress: 'failed', waitSeconds: 0 };
      if (instance.bootsAt > clock.now().getTime()) return { progress: 'wait', waitSeconds: 5 };
      join(deps, name, instance, found);
      await report(deps, found, (current) => ({
        ...current,
        status: { ...current.status, ready: true, state: 'running', addresses: [{ type: 'Hostname', address: name }] },
      }));
      return DONE;
    },
    terminateInstance: async (input: MachineInput): Promise<ProgressResult> => {
      const { found, name = '' } = await nameOf(input);
      rack.instances.delete(name);
      const node = workload.nodes.get(name);
      if (node) workload.nodes.set(name, { ...node, alive: false });
      const { machine: ref, holder } = input;
      return withRemoval(work, { ref, holder }, found?.infrastructureMachine?.object ?? null, DONE);
    },
    attachEndpoint: async (input: MachineInput) => {
      const { name } = await nameOf(input);
      if (name) rack.attached.add(name);
      return {};
    },
    detachEndpoint: async (input: MachineInput) => {
      const { name } = await nameOf(input);
      if (name) rack.attached.delete(name);
      return {};
    },
  };
};

/** All steps that a provider serves. */
export const plainSteps = (deps: PlainDependencies): Record<string, (input: never) => Promise<unknown>> => ({
  ...clusterSteps(deps),
  ...machineSteps(deps),
});

/** Terminates the instance of a machine without notice; its node disappears with it. */
export const loseInstance = ({ rack, workload }: Pick<PlainDependencies, 'rack' | 'workload'>, name: string): void => {
  rack.instances.delete(name);
  workload.nodes.delete(name);
};
