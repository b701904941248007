import { describe, expect, it } from 'vitest';
import type { AWSCluster, Cluster, Machine, MachineSet } from '../../kinds/index.ts';
import { clusterStatus } from './cluster.ts';
import type { ClusterFacts } from './cluster-facts.ts';
import { findCondition } from './conditions.ts';

const FACTS = {
  infrastructure: null,
  controlPlane: null,
  deployments: [],
  sets: [],
  pools: [],
  controlPlaneMachines: [],
  workerMachines: [],
};

const TOPOLOGY: Cluster['spec'] = { topology: { classRef: { name: 'class' }, version: 'v1.34.0' } };

const availabilityOf = (reason: string, message: string) => {
  const lastTransitionTime = '1970-01-01T00:00:00Z';
  const condition = { type: 'TopologyReconciled', status: 'False' as const, reason, message, lastTransitionTime };
  const { conditions } = clusterStatus(
    {
      apiVersion: 'cluster.x-k8s.io/v1beta2',
      kind: 'Cluster',
      metadata: { name: 'a', generation: 1 },
      spec: TOPOLOGY,
      status: { conditions: [condition] },
    },
    FACTS,
    new Date(0),
  );
  return findCondition(conditions, 'Available')?.message;
};

describe('the availability of a Cluster with a topology', () => {
  it.each(['ReconcileFailed', 'ClusterClassNotReconciled'])('is lost with the reason %s', (reason) => {
    expect(availabilityOf(reason, 'why')).toContain('* TopologyReconciled: why');
  });

  it.each(['ClusterUpgrading', 'MachineDeploymentsUpgradeDeferred'])('is kept with the reason %s', (reason) => {
    expect(availabilityOf(reason, 'why')).not.toContain('TopologyReconciled');
  });
});

describe('the plan of an upgrade', () => {
  it('stays in the status of a Cluster', () => {
    const upgradePlan = [{ version: 'v1.35.0' }];
    const { workers } = clusterStatus(
      {
        apiVersion: 'cluster.x-k8s.io/v1beta2',
        kind: 'Cluster',
        metadata: { name: 'a', generation: 1 },
        spec: TOPOLOGY,
        status: { workers: { upgradePlan } },
      },
      FACTS,
      new Date(0),
    );
    expect(workers).toEqual({ upgradePlan });
  });
});

describe('the control plane of a Cluster without a control plane object', () => {
  const machines = ['True', 'False'].map(
    (status) =>
      ({
        ...{ metadata: { name: 'm' }, spec: { version: 'v1.35.0' } },
        status: { conditions: [{ type: 'Ready', status, reason: 'R', message: '', lastTransitionTime: '' }] },
      }) as Machine,
  );
  const statusOf = (spec: object, controlPlaneMachines: Machine[]) => {
    const cluster = { ...clusterOf(), spec, status: { controlPlane: { replicas: 3 } } } as Cluster;
    return clusterStatus(cluster, { ...FACTS, controlPlaneMachines }, new Date(0));
  };

  it('is the sum of its Machines', () => {
    const { controlPlane, conditions } = statusOf({}, machines);
    expect(controlPlane).toEqual({
      ...{ replicas: 2, readyReplicas: 1, availableReplicas: 0, upToDateReplicas: 0 },
      versions: [{ version: 'v1.35.0', replicas: 2 }],
    });
    expect(findCondition(conditions, 'ControlPlaneInitialized')?.message).toBe(
      'No control plane Machine has a node yet',
    );
  });

  it.each([
    { what: 'its Machines are gone', spec: {} },
    { what: 'the object to which it refers is gone', spec: { controlPlaneRef: { kind: 'K', name: 'k' } } },
  ])('has no counters once $what', ({ spec }) => {
    expect(statusOf(spec, []).controlPlane).toBeUndefined();
  });
});

describe('the workers of a Cluster', () => {
  const owner = { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Cluster', name: 'red', uid: 'u' };
  const owned = (kind: string, fields: object) =>
    ({ kind, metadata: { name: 'm', ownerReferences: [owner] }, spec: {}, ...fields }) as unknown;
  const ready = [{ type: 'Ready', status: 'True', reason: 'R', message: '', lastTransitionTime: '' }];

  it('include Machines and MachineSets without another owner', () => {
    const machine = owned('Machine', { spec: { version: 'v1.35.0' }, status: { conditions: ready } }) as Machine;
    const ofSet = { ...machine, metadata: { name: 'n', ownerReferences: [{ ...owner, kind: 'MachineSet' }] } };
    const set = owned('MachineSet', { spec: { replicas: 2 }, status: { replicas: 1, readyReplicas: 1 } }) as MachineSet;
    const facts = { ...FACTS, sets: [set], workerMachines: [machine, ofSet] };
    expect(clusterStatus(clusterOf(), facts, new Date(0)).workers).toEqual({
      ...{ desiredReplicas: 3, replicas: 2, readyReplicas: 2, availableReplicas: 0, upToDateReplicas: 0 },
      versions: [{ version: 'v1.35.0', replicas: 2 }],
    });
  });

  it('have no counters if there are none', () => {
    expect(clusterStatus(clusterOf(), FACTS, new Date(0)).workers).toEqual({});
  });
});

const RED = { name: 'red', namespace: 'default' };

const clusterOf = (over: Partial<Cluster> = {}): Cluster => ({
  apiVersion: 'cluster.x-k8s.io/v1beta2',
  kind: 'Cluster',
  metadata: { ...RED, generation: 1 },
  spec: { infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'AWSCluster', name: 'red' } },
  ...over,
});

const awsCluster = (status: AWSCluster['status']): AWSCluster =>
  ({
    apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
    kind: 'AWSCluster',
    metadata: RED,
    spec: {},
    status,
  }) as AWSCluster;

const saying = (type: string, status: string, reason: string, message: string): AWSCluster =>
  awsCluster({
    ready: true,
    conditions: [{ type, status, severity: 'Error', reason, message, lastTransitionTime: '2026-01-01T00:00:00Z' }],
  } as AWSCluster['status']);

const claimed = (cluster: Cluster, infrastructure: AWSCluster | null, type: string) =>
  findCondition(clusterStatus(cluster, { ...FACTS, infrastructure }, new Date(0)).conditions, type);

describe('InfrastructureReady of a Cluster', () => {
  const lost = saying('Ready', 'False', 'LoadBalancerFailed', 'load balancer red-apiserver does not exist any more');

  it('mirrors the Ready condition of the AWSCluster, also when it was ready before', () => {
    expect(claimed(clusterOf(), lost, 'InfrastructureReady')).toMatchObject({
      status: 'False',
      reason: 'LoadBalancerFailed',
      message: 'load balancer red-apiserver does not exist any more',
    });
    expect(claimed(clusterOf(), lost, 'Available')?.message).toContain(
      '* InfrastructureReady: load balancer red-apiserver does not exist any more',
    );
  });

  it('keeps an object provisioned once it was', () => {
    const { initialization } = clusterStatus(clusterOf(), { ...FACTS, infrastructure: lost }, new Date(0));
    expect(initialization).toEqual({ infrastructureProvisioned: true });
  });

  it.each([
    [true, { status: 'True', reason: 'Ready', message: '' }],
    [
      undefined,
      { status: 'False', reason: 'NotReady', message: 'AWSCluster status.initialization.provisioned is false' },
    ],
  ])('uses status.ready (%s) if there is no condition', (ready, expected) => {
    const silent = awsCluster((ready ? { ready } : {}) as AWSCluster['status']);
    expect(claimed(clusterOf(), silent, 'InfrastructureReady')).toMatchObject(expected);
  });

  it('has the reason Ready if the AWSCluster has none', () => {
    const ready = awsCluster({
      ready: true,
      conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z' }],
    } as AWSCluster['status']);
    expect(claimed(clusterOf(), ready, 'InfrastructureReady')).toMatchObject({ status: 'True', reason: 'Ready' });
  });
});

describe('a Cluster that is being deleted', () => {
  const deleting = clusterOf({ metadata: { ...RED, generation: 2, deletionTimestamp: '2026-01-01T00:00:00Z' } });

  it('reports what blocks its infrastructure', () => {
    const held = saying('Ready', 'False', 'Deleting', 'Waiting for network interface eni-1');
    const message = 'Waiting for AWSCluster to be deleted: Waiting for network interface eni-1';
    expect(claimed(deleting, held, 'Deleting')).toMatchObject({ reason: 'WaitingForInfrastructureDeletion', message });
    expect(claimed(deleting, held, 'Available')?.message).toContain(`* Deleting: ${message}`);
  });

  it('names the workers that it waits for, five of a kind', () => {
    const named = (...names: string[]) => names.map((name) => ({ metadata: { name }, spec: {} }));
    const workers = {
      ...FACTS,
      deployments: named('md-1', 'md-0'),
      sets: named('ms-0'),
      workerMachines: named(...'gfedcba'),
    };
    const { conditions } = clusterStatus(deleting, workers as unknown as ClusterFacts, new Date(0));
    expect(findCondition(conditions, 'Deleting')).toMatchObject({
      reason: 'WaitingForWorkersDeletion',
      message: '* MachineDeployments: md-0, md-1\n* MachineSets: ms-0\n* Worker Machines: a, b, c, d, e, ... (2 more)',
    });
  });

  it('reports what blocks its control plane', () => {
    const said = (message?: string) => {
      const status = { conditions: message ? [{ type: 'Deleting', status: 'True', message }] : [] };
      const controlPlane = { kind: 'KubeadmControlPlane', metadata: { name: 'red' }, spec: {}, status };
      const facts = { ...FACTS, controlPlane } as unknown as ClusterFacts;
      return findCondition(clusterStatus(deleting, facts, new Date(0)).conditions, 'Deleting');
    };
    expect(said()).toMatchObject({
      reason: 'WaitingForControlPlaneDeletion',
      message: 'Waiting for KubeadmControlPlane to be deleted',
    });
    expect(said('Deleting 1 Machine')?.message).toBe(
      'Waiting for KubeadmControlPlane to be deleted: Deleting 1 Machine',
    );
  });

  it('does not report deleted objects as an issue', () => {
    const text = claimed(deleting, null, 'Available')?.message;
    expect(text).toContain('* Deleting: Deletion completed');
    expect(text).not.toContain('InfrastructureReady');
    expect(text).not.toContain('ControlPlaneAvailable');
  });
});

describe('a missing control plane', () => {
  const claim = (kind: string) => {
    const controlPlaneRef = { apiGroup: 'controlplane.cluster.x-k8s.io', kind, name: 'a' };
    const cluster = {
      apiVersion: 'cluster.x-k8s.io/v1beta2',
      kind: 'Cluster',
      metadata: { name: 'a', generation: 1 },
      spec: { controlPlaneRef },
      status: { initialization: { controlPlaneInitialized: true } },
    } as Cluster;
    return findCondition(clusterStatus(cluster, FACTS, new Date(0)).conditions, 'ControlPlaneAvailable');
  };

  it('is reported as deleted', () => {
    expect(claim('KubeadmControlPlane')).toMatchObject({
      reason: 'ObjectDeleted',
      message: 'KubeadmControlPlane a has been deleted',
    });
  });

  it('is reported with a hint at the spelling if its kind is not known', () => {
    expect(claim('KubeadmControlplane')?.message).toMatch(
      /^KubeadmControlplane a does not exist: kind "KubeadmControlplane" in group .* is not built in: check its spelling/,
    );
  });
});
