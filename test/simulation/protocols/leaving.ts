/** Machines of a control plane that leave etcd, with the real code between the Machines and a simulated etcd. */
import { leaveEtcd } from '../../../functions/machine/node/leave-etcd.ts';
import { bootEtcd, type Etcd } from '../../../infra/local/machines/workload-cluster/etcd.ts';
import { runEtcdctl } from '../../../infra/local/machines/workload-cluster/etcdctl.ts';
import { kinds, type Machine } from '../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import { HEALTHY } from '../../../shared/plan/control-plane/test-healthy.ts';
import type { MachineInput } from '../../../shared/work/payloads.ts';
import { type PodCommand, type WorkloadClient, WorkloadUnreachableError } from '../../../shared/workload/client.ts';
import { makePlainObjects, type PlainObjects } from '../cluster/plain-objects.ts';
import type { Play, Stage, StepOf } from './explore.ts';

const START = new Date('2030-01-01T00:00:00Z');
const NAMESPACE = 'default';
/** The number of checks by one execution, with waits in between. After that, passes of the cluster start another. */
const LOOKS = 2;

export interface Case {
  members: readonly string[];
  /** A member whose machine is no longer running. */
  dead?: string;
  /** A member whose machine has an API server that does not work. */
  broken?: string;
  /** A machine that is already a node, and adds its member while the others leave. */
  joining?: string;
  /** Executions, by the name of the machine that they remove. */
  removals: readonly string[];
  /** The number of machines that can leave; all of them by default. */
  able?: number;
  /** An etcd that carries out every removal. */
  isUnguarded?: boolean;
}

const machineOf = (name: string, leaving: boolean, isWorking: boolean): Machine =>
  ({
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Machine',
    metadata: {
      ...{ namespace: NAMESPACE, name, finalizers: ['machine.cluster.x-k8s.io'] },
      labels: { 'cluster.x-k8s.io/cluster-name': 'one', 'cluster.x-k8s.io/control-plane': '' },
      ...(leaving ? { deletionTimestamp: '2030-01-01T00:00:00Z' } : {}),
    },
    spec: { clusterName: 'one', bootstrap: {}, infrastructureRef: { apiGroup: 'x', kind: 'X', name } },
    status: { nodeRef: { name }, conditions: isWorking ? HEALTHY : [] },
  }) as unknown as Machine;

const CLUSTER = {
  apiVersion: 'cluster.x-k8s.io/v1beta2',
  kind: 'Cluster',
  metadata: { namespace: NAMESPACE, name: 'one' },
  spec: {
    controlPlaneRef: { apiGroup: 'controlplane.cluster.x-k8s.io', kind: 'KubeadmControlPlane', name: 'one' },
    infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'AWSCluster', name: 'one' },
  },
} as unknown as KubeObject;

const CONTROL_PLANE = {
  apiVersion: 'controlplane.cluster.x-k8s.io/v1beta2',
  kind: 'KubeadmControlPlane',
  metadata: { namespace: NAMESPACE, name: 'one' },
  spec: { replicas: 3, version: 'v1.34.2', kubeadmConfigSpec: {} },
  status: { initialization: { controlPlaneInitialized: true } },
} as unknown as KubeObject;

const KUBECONFIG = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { namespace: NAMESPACE, name: 'one-kubeconfig' },
  data: { value: Buffer.from('the test knows the way').toString('base64') },
} as unknown as KubeObject;

const hostOf = (name: string) => ({ owner: `i-${name}`, address: `10.0.0.${name.charCodeAt(0)}` });

const etcdOf = ({ members, dead }: Case): Etcd => {
  const [first = '', ...others] = members;
  const etcd = bootEtcd(first, hostOf(first));
  for (const name of others) {
    etcd.addLearner(name, hostOf(name));
    etcd.promote(name);
  }
  if (dead) etcd.setAlive(dead, false);
  return etcd;
};

const objectsOf = ({ members, removals, dead, broken, joining }: Case): PlainObjects => {
  const clock = { now: () => START, sleep: async () => {} };
  const objects = makePlainObjects({ clock, beside: () => {} });
  objects.create(kinds.cluster, CLUSTER as never);
  objects.create(kinds.kubeadmControlPlane, CONTROL_PLANE as never);
  objects.create(kinds.secret, KUBECONFIG as never);
  for (const name of members) {
    const isWorking = name !== dead && name !== broken;
    objects.create(kinds.machine, machineOf(name, removals.includes(name), isWorking));
  }
  if (joining) objects.create(kinds.machine, machineOf(joining, false, false));
  return objects;
};

/** Runs the commands of one actor sequentially, because an actor has only one turn at a time. */
const commandsOf = (step: StepOf, etcd: Etcd, isUnguarded: boolean): Pick<WorkloadClient, 'execute'>['execute'] => {
  let last: Promise<unknown> = Promise.resolve();
  const carryOut = ({ pod, command }: PodCommand) => {
    const self = etcd.members().find(({ name }) => name === pod.replace(/^etcd-/, ''));
    if (!self?.alive || !etcd.hasQuorum()) throw new WorkloadUnreachableError('connection timed out');
    const [, ...args] = command;
    const id = args[args.indexOf('remove') + 1];
    const target = isUnguarded && args.includes('remove') && etcd.members().find((member) => member.id === id);
    if (!target) return runEtcdctl(etcd, self.name, args);
    etcd.remove(target.name);
    return { code: 0, stdout: '', stderr: '' };
  };
  return (command) => {
    const next = last.then(() => step(command.command.slice(1, 3).join(' '), () => carryOut(command)));
    last = next.catch(() => undefined);
    return next;
  };
};

/** Adds the member of a machine, which has no name until its etcd starts. Records it in `joined`. */
const join = async (step: StepOf, etcd: Etcd, name: string, joined: string[]): Promise<void> => {
  await step('adds its member', () => {
    etcd.addLearner(name, hostOf(name));
    joined.push(name);
    return null;
  });
  await step('starts its member', () => {
    etcd.promote(name);
    return null;
  });
};

/** Executions that remove machines of a control plane, with the real code between the Machines and etcd. */
export const removals =
  (given: Case) =>
  ({ begin }: Stage): Play => {
    const [etcd, objects] = [etcdOf(given), objectsOf(given)];
    const clusterUid = objects.all(kinds.cluster)[0]?.metadata.uid ?? '';
    const terminated = new Set<string>();
    const at: StepOf = async (_, act) => act();

    const execution = async (name: string, step: StepOf): Promise<boolean> => {
      const uid = objects.all(kinds.machine).find(({ metadata }) => metadata.name === name)?.metadata.uid ?? '';
      const execute = commandsOf(step, etcd, given.isUnguarded ?? false);
      const deps = {
        objects,
        work: { extendMachine: async () => true },
        touch: async () => {},
        pledges: { give: async () => '', redeem: async () => {} },
        clock: { now: () => START, sleep: async () => {} },
        connect: () => ({ execute, close: async () => {} }),
      };
      const machine = { namespace: NAMESPACE, name, uid, clusterName: 'one', clusterUid };
      const leave = leaveEtcd(deps as never);
      for (let look = 0; look < LOOKS; look += 1) {
        const { progress } = await leave({ machine, holder: 'execution' } as MachineInput);
        if (progress !== 'done') continue;
        await step('terminates the instance', () => {
          etcd.setAlive(name, false);
          terminated.add(name);
          return null;
        });
        return true;
      }
      return false;
    };
    for (const name of given.removals)
      begin(`removal of ${name}`, async (step) => {
        await execution(name, step);
      });

    const { joining } = given;
    const joined: string[] = [];
    if (joining) begin(`${joining} joins`, (step) => join(step, etcd, joining, joined));

    const isServed = (): boolean => etcd.names().some((name) => name !== given.broken && name !== given.dead);
    const judge = (): string[] => [
      ...(isServed() ? [] : ['no machine serves the cluster']),
      ...(etcd.hasQuorum() ? [] : ['etcd has lost its quorum']),
      ...etcd.names().flatMap((name) => (terminated.has(name) ? [`${name} was terminated as a member`] : [])),
      ...[...given.members, ...joined].flatMap((name) =>
        etcd.names().includes(name) || given.removals.includes(name) ? [] : [`${name} was removed, and stays`],
      ),
    ];
    return {
      state: () => JSON.stringify([etcd.members(), etcd.leader()?.name, [...terminated].sort()]),
      judge,
      judgeEnd: async () => {
        // A machine whose kubeadm was interrupted tries again, and executions that waited for others check again.
        for (const name of etcd.names().filter((one) => joined.includes(one))) etcd.promote(name);
        const leaving = [...new Set(given.removals)].sort();
        for (const name of [...leaving, ...leaving]) if (!terminated.has(name)) await execution(name, at);
        const left = leaving.filter((name) => terminated.has(name)).length;
        const { able = leaving.length } = given;
        return [...judge(), ...(left === able ? [] : [`${left} of ${leaving.length} machines have left`])];
      },
    };
  };

/**
 * Without other removals, Windlass's own rule must be enough, whatever etcd accepts: without the leaving machine, only
 * one of two members would be healthy, or two of three.
 */
export const NEEDED: Case = { members: ['a', 'b', 'c'], dead: 'c', removals: ['b', 'b'], able: 0, isUnguarded: true };
