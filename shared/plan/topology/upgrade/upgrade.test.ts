import { describe, expect, it } from 'vitest';
import { compareWithBuilds } from '../../../kinds/rules/bootstrap/compare-builds.ts';
import {
  classNotReconciled,
  deletingTopology,
  failedTopology,
  pausedTopology,
  topologyCondition,
} from './condition.ts';
import { checkControlPlanePlan } from './control-plane-plan.ts';
import { planUpgrade } from './plan.ts';
import {
  type ControlPlaneState,
  nextControlPlaneVersion,
  nextWorkersVersions,
  upgradeConcurrency,
  type WorkersState,
} from './versions.ts';

const v = (minor: number, patch = 0) => `v1.${minor}.${patch}`;

const planOf = (desired: string, controlPlane: string, workers: string[] = [], classVersions?: string[]) => {
  const { controlPlane: steps, workers: ofWorkers } = planUpgrade({ desired, controlPlane, workers, classVersions });
  return [steps, ofWorkers];
};

describe('the plan of an upgrade', () => {
  it('goes up by one minor version if the class lists none', () => {
    expect(planOf(v(35), v(34), [v(34)])).toEqual([[v(35)], [v(35)]]);
    expect(planOf(v(34), v(34), [v(34)])).toEqual([[], []]);
    expect(planOf(v(35), v(35), [v(34)])).toEqual([[], [v(35)]]);
    expect(() => planOf(v(36), v(34))).toThrow('cannot compute an upgrade plan from v1.34.0 to v1.36.0');
  });

  it('goes through the last version of each minor that the class lists', () => {
    const versions = [v(30), v(30, 4), v(31), v(31, 2), v(32), v(33), v(34), v(34, 1)];
    expect(planOf(v(34), v(30), [v(30)], versions)).toEqual([
      [v(31, 2), v(32), v(33), v(34)],
      [v(33), v(34)],
    ]);
    expect(planOf(v(30, 4), v(30), [v(30)], versions)).toEqual([[v(30, 4)], [v(30, 4)]]);
    expect(planOf(v(31), v(30, 4), [], versions)).toEqual([[v(31)], []]);
  });

  it('starts from the oldest workers', () => {
    expect(planOf(v(36), v(36), [v(36), v(35), v(36)])).toEqual([[], [v(36)]]);
    expect(planOf('v1.34.0+b', 'v1.34.0+b', ['v1.34.0+b', 'v1.34.0+a'])).toEqual([[], ['v1.34.0+b']]);
  });

  it('is empty without a control plane', () => {
    expect(
      planUpgrade({ desired: v(35), controlPlane: undefined, workers: [], classVersions: undefined }),
    ).toMatchObject({
      controlPlane: [],
      workers: [],
    });
  });

  it.each([
    [[v(36)], 'item 0; expecting a version with minor 34 or 35, found version v1.36.0'],
    [[v(33)], 'item 0; version v1.33.0 must be greater than v1.34.0'],
    [[v(35)], 'control plane upgrade plan must end with version v1.36.0, ends with v1.35.0 instead'],
  ])('is refused if it is invalid: %j', (plan, why) => {
    expect(() => checkControlPlanePlan(plan, v(36), v(34))).toThrow(`invalid ControlPlane upgrade plan: ${why}`);
  });

  it.each([
    ['v1.34.0', 'v1.34.1', 'older'],
    ['v1.34.0+1', 'v1.34.0+2', 'older'],
    ['v1.34.0+a', 'v1.34.0+1', 'newer'],
    ['v1.34.0+a', 'v1.34.0+b', 'unordered'],
    ['v1.34.0+a.1', 'v1.34.0+a', 'newer'],
    ['v1.34.0', 'v1.34.0+a', 'older'],
    ['v1.34.0-rc.1', 'v1.34.0', 'older'],
  ])('compares %s with %s: %s', (a, b, order) => {
    expect(compareWithBuilds(a, b)).toBe(order);
  });
});

const state = (version: string, rest: Partial<ControlPlaneState> = {}): ControlPlaneState => ({
  version,
  isProvisioning: false,
  isUpgrading: false,
  ...rest,
});

const group = (
  topologyName: string,
  version: string | undefined,
  rest: { isUpgrading?: boolean; annotations?: Record<string, string> } = {},
): WorkersState => ({
  topologyName,
  current:
    version === undefined ? undefined : { name: `c-${topologyName}`, version, isUpgrading: rest.isUpgrading ?? false },
  annotations: rest.annotations ?? {},
});

interface Pass {
  desired: string;
  controlPlane?: ControlPlaneState;
  deployments?: WorkersState[];
  pools?: WorkersState[];
  classVersions?: string[];
  concurrency?: number;
}

/** One pass: the resulting objects, and the condition. */
const pass = ({ desired, controlPlane, deployments = [], pools = [], classVersions, concurrency = 1 }: Pass) => {
  const all = [...deployments, ...pools];
  const workers = all.flatMap(({ current }) => (current ? [current.version] : []));
  const plan = planUpgrade({ desired, controlPlane: controlPlane?.version, workers, classVersions });
  const isUpgrading = all.some(({ current }) => current?.isUpgrading);
  const progress = nextControlPlaneVersion(desired, controlPlane, plan, isUpgrading);
  const machineDeployments = nextWorkersVersions(desired, deployments, progress, plan.workers, concurrency);
  const machinePools = nextWorkersVersions(desired, pools, progress, plan.workers, concurrency);
  const condition = topologyCondition({
    desired,
    controlPlaneKind: 'KubeadmControlPlane',
    controlPlane: progress,
    machineDeployments,
    machinePools,
    plan,
  });
  return {
    versions: [progress.version, ...machineDeployments.versions.values(), ...machinePools.versions.values()],
    pendingCreate: [...machineDeployments.pendingCreate],
    reason: condition.reason,
    message: condition.message,
  };
};

describe('the versions of a pass', () => {
  it('are those of the topology if nothing exists yet', () => {
    expect(pass({ desired: v(34), deployments: [group('a', undefined)] })).toMatchObject({
      versions: [v(34), v(34)],
      pendingCreate: [],
      reason: 'ReconcileSucceeded',
    });
  });

  it('upgrade the control plane first, then one group of workers at a time, deployments and pools concurrently', () => {
    const deployments = [group('a', v(34)), group('b', v(34))];
    const pools = [group('p', v(34))];
    expect(pass({ desired: v(35), controlPlane: state(v(34)), deployments, pools })).toMatchObject({
      versions: [v(35), v(34), v(34), v(34)],
      reason: 'ClusterUpgrading',
      message:
        'Cluster is upgrading to v1.35.0\n  * KubeadmControlPlane upgrading to version v1.35.0\n  * MachineDeployments c-a, c-b pending upgrade to version v1.35.0\n  * MachinePool c-p pending upgrade to version v1.35.0',
    });
    expect(pass({ desired: v(35), controlPlane: state(v(35), { isUpgrading: true }), deployments }).versions).toEqual([
      v(35),
      v(34),
      v(34),
    ]);
    expect(pass({ desired: v(35), controlPlane: state(v(35)), deployments, pools })).toMatchObject({
      versions: [v(35), v(35), v(34), v(35)],
      message:
        'Cluster is upgrading to v1.35.0\n  * MachineDeployment c-a upgrading to version v1.35.0\n  * MachineDeployment c-b pending upgrade to version v1.35.0\n  * MachinePool c-p upgrading to version v1.35.0',
    });
    const both = pass({ desired: v(35), controlPlane: state(v(35)), deployments, concurrency: 2 });
    expect(both.versions).toEqual([v(35), v(35), v(35)]);
  });

  it('stay unchanged while the control plane or workers are being created or upgraded', () => {
    const provisioning = state(v(34), { isProvisioning: true });
    expect(pass({ desired: v(35), controlPlane: provisioning, deployments: [group('a', v(34))] }).versions).toEqual([
      v(34),
      v(34),
    ]);
    const busy = [group('a', v(34), { isUpgrading: true })];
    expect(pass({ desired: v(35), controlPlane: state(v(34)), deployments: busy }).versions).toEqual([v(34), v(34)]);
  });

  it('defer the creation of workers while the control plane is changing', () => {
    const deployments = [group('a', undefined)];
    expect(pass({ desired: v(35), controlPlane: state(v(34)), deployments })).toMatchObject({
      pendingCreate: ['a'],
      message: expect.stringContaining(
        'MachineDeployment a creation deferred while control plane upgrade is in progress',
      ),
    });
  });

  it('defer the creation of workers while an extension blocks the upgrade of the workers', () => {
    const plan = planUpgrade({ desired: v(35), controlPlane: v(35), workers: [v(34)], classVersions: undefined });
    const blocked = { ...nextControlPlaneVersion(v(35), state(v(35)), plan, false), isBlockingWorkers: true };
    const groups = [group('a', undefined), group('b', v(34))];
    const { versions, pendingCreate } = nextWorkersVersions(v(35), groups, blocked, plan.workers, 9);

    expect([...pendingCreate]).toEqual(['a']);
    expect(versions.get('b')).toBe(v(34));
  });

  it('are deferred by annotations: one group, or one and all after it', () => {
    const hold = { 'topology.cluster.x-k8s.io/hold-upgrade-sequence': '' };
    const defer = { 'topology.cluster.x-k8s.io/defer-upgrade': '' };
    const held = [group('a', v(34)), group('b', v(34), { annotations: hold }), group('c', v(34))];
    const step = { desired: v(35), controlPlane: state(v(35)), concurrency: 9 };
    expect(pass({ ...step, deployments: held }).versions).toEqual([v(35), v(35), v(34), v(34)]);
    const deferred = [group('a', v(34), { annotations: defer }), group('b', v(35))];
    expect(pass({ ...step, deployments: deferred })).toMatchObject({
      versions: [v(35), v(34), v(35)],
      reason: 'MachineDeploymentsUpgradeDeferred',
      message:
        'Cluster is upgrading to v1.35.0\n  * MachineDeployment c-a upgrade to version v1.35.0 deferred using defer-upgrade or hold-upgrade-sequence annotations',
    });
    expect(pass({ ...step, pools: deferred }).reason).toBe('MachinePoolsUpgradeDeferred');
  });

  it('let workers catch up in the middle of a chain', () => {
    const classVersions = [v(30), v(31), v(32), v(33), v(34)];
    const chain = { desired: v(34), classVersions };
    const behind = [group('a', v(30))];
    expect(pass({ ...chain, controlPlane: state(v(32)), deployments: behind }).versions).toEqual([v(33), v(30)]);
    expect(pass({ ...chain, controlPlane: state(v(33)), deployments: behind })).toMatchObject({
      versions: [v(33), v(33)],
      message:
        'Cluster is upgrading to v1.34.0\n  * KubeadmControlPlane pending upgrade to version v1.34.0\n  * MachineDeployment c-a upgrading to version v1.33.0 (v1.34.0 pending)',
    });
    expect(pass({ ...chain, controlPlane: state(v(33)), deployments: [group('a', v(33))] }).versions).toEqual([
      v(34),
      v(33),
    ]);
  });

  it('name three groups in the message, and count the others', () => {
    const deployments = ['e', 'd', 'c', 'b', 'a'].map((name) => group(name, v(34)));
    expect(pass({ desired: v(35), controlPlane: state(v(34)), deployments }).message).toContain(
      'MachineDeployments c-a, c-b, c-c, ... (2 more) pending upgrade',
    );
  });

  it('may change at once for as many groups as the cluster allows', () => {
    expect(upgradeConcurrency({ 'topology.cluster.x-k8s.io/upgrade-concurrency': '3' })).toBe(3);
    expect(upgradeConcurrency({ 'topology.cluster.x-k8s.io/upgrade-concurrency': 'x' })).toBe(1);
    expect(upgradeConcurrency()).toBe(1);
  });
});

describe('TopologyReconciled', () => {
  it('is False for each reason that prevents a pass from planning', () => {
    expect(pausedTopology(true, true)).toMatchObject({
      reason: 'Paused',
      message: 'Cluster spec.paused is set to true, Cluster has the cluster.x-k8s.io/paused annotation',
    });
    expect(failedTopology('why')).toMatchObject({ status: 'False', reason: 'ReconcileFailed', message: 'why' });
    expect(deletingTopology()).toMatchObject({ reason: 'Deleting', message: 'Cluster is deleting' });
    expect(classNotReconciled()).toMatchObject({ reason: 'ClusterClassNotReconciled' });
  });
});
