import { beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { kubeadm } from '../../../shared/distributions/kubeadm/distribution.ts';
import { imageOf, type PodTemplated } from '../../../shared/distributions/kubeadm/upgrade-tasks/workload.ts';
import { rke2 } from '../../../shared/distributions/rke2/distribution.ts';
import { ConflictError } from '../../../shared/errors.ts';
import type { KubeadmControlPlane, Machine } from '../../../shared/kinds/index.ts';
import { formatTime } from '../../../shared/kube-api/object.ts';
import { areUpgradeTasksSettled, waitsForJoinConfiguration } from '../../../shared/plan/control-plane/upgrade-tasks.ts';
import { withConditions } from '../../../shared/plan/status/conditions.ts';
import { testClock } from '../../../shared/store/test-table.ts';
import { type AnyObject, WorkloadUnreachableError } from '../../../shared/workload/client.ts';
import type { ClusterSnapshot } from '../snapshot.ts';
import { runUpgradeTasks } from './upgrade-tasks.ts';

const CONFIG = `apiVersion: kubeadm.k8s.io/v1beta3
kind: ClusterConfiguration
kubernetesVersion: v1.30.4
`;
const meta = (name: string) => ({ name, namespace: 'default', uid: name, generation: 3 });

/** The objects in the workload cluster; a write based on an older version is refused. */
const makeWorkload = () => {
  const kept = new Map<string, AnyObject>();
  const keyOf = ({ kind, metadata }: AnyObject) => `${kind} ${metadata.name}`;
  const put = (object: AnyObject): AnyObject => {
    const before = Number(kept.get(keyOf(object))?.metadata.resourceVersion ?? 0);
    const written = { ...object, metadata: { ...object.metadata, resourceVersion: String(before + 1) } };
    kept.set(keyOf(object), written);
    return written;
  };
  return {
    kept,
    put,
    client: {
      read: async (object: AnyObject) => kept.get(keyOf(object)),
      create: async (object: AnyObject) => {
        if (!kept.has(keyOf(object))) put(object);
        return [];
      },
      replace: async (object: AnyObject) => {
        const is = kept.get(keyOf(object))?.metadata.resourceVersion;
        if (is !== object.metadata.resourceVersion) throw new ConflictError(`${object.metadata.name} has changed`);
        return put(object);
      },
    },
  };
};

const controlPlane = (change: object = {}): KubeadmControlPlane =>
  ({
    apiVersion: 'controlplane.cluster.x-k8s.io/v1beta2',
    kind: 'KubeadmControlPlane',
    metadata: meta('cp'),
    spec: {
      replicas: 1,
      version: 'v1.31.2',
      machineTemplate: { spec: { infrastructureRef: { kind: 'AWSMachineTemplate', name: 't' } } },
      kubeadmConfigSpec: { clusterConfiguration: { apiServer: { certSANs: ['a.example.com'] } } },
      ...change,
    },
    status: { initialization: { controlPlaneInitialized: true } },
  }) as never;

const snapshotOf = (owner: KubeadmControlPlane, version: string, change: object = {}): ClusterSnapshot => {
  const ownerReferences = [{ uid: 'cp', controller: true }];
  const machine = {
    ...{ metadata: { ...meta('m'), ownerReferences }, spec: { version, bootstrap: {} } },
    status: { nodeRef: { name: 'm' } },
  } as never as Machine;
  const cluster = { metadata: meta('red') };
  return {
    ...{
      cluster,
      infrastructureCluster: null,
      provider: undefined,
      controlPlane: owner,
      distribution: kubeadm,
      deployments: [],
      sets: [],
    },
    ...{ machines: [machine], infrastructureMachines: new Map() },
    ...change,
  } as never;
};

describe('the configuration that machines join with', () => {
  let workload: ReturnType<typeof makeWorkload>;
  const deps = { objects: { listOfCluster: async () => [] } as never, clock: testClock() };
  const keep = (snapshot: ClusterSnapshot) => runUpgradeTasks(deps, workload.client, snapshot);
  const stored = () => {
    const data = workload.kept.get('ConfigMap kubeadm-config')?.data as { ClusterConfiguration: string };
    return parse(data.ClusterConfiguration);
  };
  beforeEach(() => {
    workload = makeWorkload();
    const metadata = { name: 'kubeadm-config', namespace: 'kube-system' };
    const data = { ClusterConfiguration: CONFIG, other: 'kept' };
    workload.put({ apiVersion: 'v1', kind: 'ConfigMap', metadata, data });
  });

  /** The control plane in the state after a probe. */
  const judged = async (owner: KubeadmControlPlane, version: string) => {
    const claims = await keep(snapshotOf(owner, version));
    const conditions = withConditions([], claims, owner.metadata.generation, deps.clock.now());
    return { ...owner, status: { ...owner.status, conditions } } as KubeadmControlPlane;
  };

  it('is updated before outdated machines are replaced, with the permissions of the new kubeadm', async () => {
    const owner = controlPlane();
    expect(waitsForJoinConfiguration(owner)).toContain('not up to date yet');

    expect(waitsForJoinConfiguration(await judged(owner, 'v1.30.4'))).toBeUndefined();

    expect(stored()).toMatchObject({
      apiVersion: 'kubeadm.k8s.io/v1beta4',
      kubernetesVersion: 'v1.31.2',
      apiServer: { certSANs: ['a.example.com'] },
    });
    expect(workload.kept.get('ConfigMap kubeadm-config')?.data).toMatchObject({ other: 'kept' });
    expect([...workload.kept.keys()]).toContain('ClusterRoleBinding kubeadm:cluster-admins');
  });

  it('is up to date only for the spec that it was made from', async () => {
    const done = await judged(controlPlane(), 'v1.30.4');
    const { metadata, spec } = done;
    expect(waitsForJoinConfiguration({ ...done, metadata: { ...metadata, generation: 4 } })).toBeDefined();
    expect(waitsForJoinConfiguration({ ...done, spec: { ...spec, version: 'v1.31.3' } })).toBeDefined();
  });

  it('is not updated while a machine joins with another version, whose kubeadm would refuse it', async () => {
    const owner = controlPlane();
    const joining = (over: object = {}) => {
      const snapshot = snapshotOf(owner, 'v1.30.4');
      const [machine] = snapshot.machines;
      const other = { ...machine, status: {}, metadata: { ...machine?.metadata, name: 'n' }, ...over } as Machine;
      return { ...snapshot, machines: [...snapshot.machines, other] };
    };
    const message = 'Machine n joins with version v1.30.4 first';
    expect(await keep(joining())).toMatchObject([{ status: 'False', reason: 'WaitingForMachine', message }]);
    expect(stored().kubernetesVersion).toBe('v1.30.4');
    const conditions = [{ type: 'HealthCheckSucceeded', status: 'False' }];
    expect(await keep(joining({ status: { conditions } }))).toMatchObject([{ status: 'True' }]);
    expect(stored().kubernetesVersion).toBe('v1.31.2');
  });

  it('is updated if a machine with another version takes too long to join, because it may be replaced', async () => {
    const owner = controlPlane();
    const snapshot = snapshotOf(owner, 'v1.30.4');
    const [machine] = snapshot.machines;
    const creationTimestamp = formatTime(new Date(deps.clock.now().getTime() - 601_000));
    const late = {
      ...machine,
      status: {},
      metadata: { ...machine?.metadata, name: 'n', creationTimestamp },
    } as Machine;
    expect(await keep({ ...snapshot, machines: [...snapshot.machines, late] })).toMatchObject([{ status: 'True' }]);
  });

  it('is not changed while no machine is outdated', async () => {
    expect(await keep(snapshotOf(controlPlane(), 'v1.31.2'))).toEqual([]);
    expect(stored().kubernetesVersion).toBe('v1.30.4');
  });

  it('is not read if the control plane is not initialized, or if the distribution has none', async () => {
    const early = { ...controlPlane(), status: {} } as KubeadmControlPlane;
    expect(await keep(snapshotOf(early, 'v1.30.4'))).toEqual([]);
    expect(await keep(snapshotOf(controlPlane(), 'v1.30.4', { distribution: rke2 }))).toEqual([]);
  });

  it('delays the machines if it cannot be read, and the control plane reports why', async () => {
    workload.kept.clear();
    const held = waitsForJoinConfiguration(await judged(controlPlane(), 'v1.30.4'));
    expect(held).toContain('ConfigMap kube-system/kubeadm-config has no ClusterConfiguration');

    workload.client.read = async () => {
      throw new WorkloadUnreachableError('connect ETIMEDOUT');
    };
    expect(await keep(snapshotOf(controlPlane(), 'v1.30.4'))).toMatchObject([
      { status: 'False', message: expect.stringContaining('ETIMEDOUT') },
    ]);
  });

  it('does not overwrite a concurrent change, and is retried', async () => {
    const { read } = workload.client;
    workload.client.read = async (object) => {
      const found = await read(object);
      if (found) workload.put({ ...found, data: { ClusterConfiguration: CONFIG, theirs: 'new' } });
      return found;
    };
    expect(await keep(snapshotOf(controlPlane(), 'v1.30.4'))).toMatchObject([{ status: 'False' }]);
    workload.client.read = read;
    expect(await keep(snapshotOf(controlPlane(), 'v1.30.4'))).toMatchObject([{ status: 'True' }]);
    expect(workload.kept.get('ConfigMap kubeadm-config')?.data).toMatchObject({ theirs: 'new' });
  });
});

describe('the software that runs on all machines', () => {
  const deps = { objects: { listOfCluster: async () => [] } as never, clock: testClock() };
  const metadata = { name: 'kube-proxy', namespace: 'kube-system' };
  const proxy = (image: string): AnyObject => ({
    ...{ apiVersion: 'apps/v1', kind: 'DaemonSet', metadata },
    spec: { template: { spec: { containers: [{ name: 'kube-proxy', image }] } } },
  });
  const world = (image: string) => {
    const workload = makeWorkload();
    workload.put(proxy(image));
    const daemonSet = () => (workload.kept.get('DaemonSet kube-proxy') as never as PodTemplated) ?? {};
    return {
      keep: (snapshot: ClusterSnapshot) => runUpgradeTasks(deps, workload.client, snapshot),
      is: () => imageOf(daemonSet(), 'kube-proxy'),
    };
  };
  const OLD = 'registry.k8s.io/kube-proxy:v1.30.4';

  it('is updated only after all machines', async () => {
    const { keep, is } = world(OLD);
    await keep(snapshotOf(controlPlane(), 'v1.30.4'));
    const { spec } = controlPlane();
    await keep(snapshotOf({ ...controlPlane(), spec: { ...spec, replicas: 3 } }, 'v1.31.2'));
    expect(is()).toBe(OLD);

    expect(await keep(snapshotOf(controlPlane(), 'v1.31.2'))).toMatchObject([{ status: 'True' }]);
    expect(is()).toBe('registry.k8s.io/kube-proxy:v1.31.2');
    expect(await keep(snapshotOf(controlPlane(), 'v1.31.2'))).toEqual([]);
  });

  it('is reported on the control plane if it cannot be updated, and is not retried if that would fail again', async () => {
    const { keep } = world('registry.k8s.io/kube-proxy@sha256:00');
    const [claim] = await keep(snapshotOf(controlPlane(), 'v1.31.2'));
    expect(claim).toMatchObject({ status: 'False', reason: 'UpdateRefused' });
    expect(claim?.message).toContain("* kube-proxy's image");
    const settled = (reason: string) =>
      areUpgradeTasksSettled({ ...controlPlane(), status: { conditions: [{ ...claim, reason }] } } as never);
    expect([settled('UpdateRefused'), settled('UpdateFailed')]).toEqual([true, false]);
  });
});
