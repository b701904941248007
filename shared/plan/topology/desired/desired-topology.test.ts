import { describe, expect, it } from 'vitest';
import type { MachineDeployment } from '../../../kinds/machine-deployment/schema.ts';
import type { AnyObject, CurrentTopology } from '../objects.ts';
import { desiredTopology } from './desired-topology.ts';
import { blueprintOf, NOTHING } from './test-blueprint.ts';

const CLONED = (name: string, kind: string) => ({
  'cluster.x-k8s.io/cloned-from-name': name,
  'cluster.x-k8s.io/cloned-from-groupkind': kind,
});
const OWNED = { 'cluster.x-k8s.io/cluster-name': 'demo', 'topology.cluster.x-k8s.io/owned': '' };
const OWNER = { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Cluster', name: 'demo', uid: 'uid-demo' };
const AWS = 'infrastructure.cluster.x-k8s.io';

describe('a new topology', () => {
  const { objects, progress } = desiredTopology(blueprintOf(), NOTHING);

  it('has an infrastructure and a control plane without an owner', () => {
    expect(objects.infrastructureCluster).toEqual({
      apiVersion: `${AWS}/v1beta2`,
      kind: 'AWSCluster',
      metadata: {
        name: expect.stringMatching(/^demo-[a-z0-9]{5}$/),
        namespace: 'team',
        labels: { of: 'aws', ...OWNED },
        annotations: CLONED('aws', `AWSClusterTemplate.${AWS}`),
      },
      spec: { region: 'eu-west-1' },
    });
    const labels = { 'cp-class': 'a', both: 'topology', ...OWNED };
    expect(objects.controlPlane).toEqual({
      apiVersion: 'controlplane.cluster.x-k8s.io/v1beta2',
      kind: 'KubeadmControlPlane',
      metadata: {
        name: expect.stringMatching(/^demo-[a-z0-9]{5}$/),
        namespace: 'team',
        labels,
        annotations: {
          note: 'class',
          mine: 'x',
          ...CLONED('kcp', 'KubeadmControlPlaneTemplate.controlplane.cluster.x-k8s.io'),
        },
      },
      spec: {
        kubeadmConfigSpec: { format: 'cloud-config' },
        replicas: 3,
        version: 'v1.34.0',
        machineTemplate: {
          metadata: { labels: { ...labels, 'of-machines': 'kcp' }, annotations: { note: 'class', mine: 'x' } },
          spec: {
            infrastructureRef: {
              apiGroup: AWS,
              kind: 'AWSMachineTemplate',
              name: objects.machineInfrastructure?.metadata.name,
            },
            readinessGates: [{ conditionType: 'Class' }],
            deletion: { nodeDrainTimeoutSeconds: 30, nodeDeletionTimeoutSeconds: 20 },
          },
        },
      },
    });
  });

  it('has copies of the templates, which are deleted with the cluster', () => {
    expect(objects.machineInfrastructure).toEqual({
      apiVersion: `${AWS}/v1beta2`,
      kind: 'AWSMachineTemplate',
      metadata: {
        name: expect.stringMatching(/^demo-[a-z0-9]{5}$/),
        namespace: 'team',
        labels: OWNED,
        annotations: { kept: 'yes', ...CLONED('cp-machine', `AWSMachineTemplate.${AWS}`) },
        ownerReferences: [OWNER],
      },
      spec: { template: { spec: { instanceType: 'm5.large' } } },
    });
    const [first] = objects.machineDeployments;
    expect(first?.bootstrap.metadata).toMatchObject({
      name: expect.stringMatching(/^demo-md-0-[a-z0-9]{5}$/),
      labels: { ...OWNED, 'topology.cluster.x-k8s.io/deployment-name': 'md-0' },
    });
  });

  it('has MachineDeployments', () => {
    const [first, second] = objects.machineDeployments;
    const own = { ...OWNED, 'topology.cluster.x-k8s.io/deployment-name': 'md-0' };
    const metadata = { labels: { md: 'class', own: 'md', ...own }, annotations: { a: 'b' } };
    expect(first?.object).toEqual({
      apiVersion: 'cluster.x-k8s.io/v1beta2',
      kind: 'MachineDeployment',
      metadata: { name: expect.stringMatching(/^demo-md-0-[a-z0-9]{5}$/), namespace: 'team', ...metadata },
      spec: {
        clusterName: 'demo',
        replicas: 2,
        selector: { matchLabels: own },
        rollout: { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1 } } },
        deletion: { order: 'Oldest' },
        remediation: { maxInFlight: 2 },
        template: {
          metadata,
          spec: {
            clusterName: 'demo',
            version: 'v1.34.0',
            bootstrap: {
              configRef: {
                apiGroup: 'bootstrap.cluster.x-k8s.io',
                kind: 'KubeadmConfigTemplate',
                name: first?.bootstrap.metadata.name,
              },
            },
            infrastructureRef: { apiGroup: AWS, kind: 'AWSMachineTemplate', name: first?.infrastructure.metadata.name },
            failureDomain: 'a',
            deletion: { nodeDrainTimeoutSeconds: 7 },
            taints: [{ key: 'k', effect: 'NoSchedule', propagation: 'Always' }],
            minReadySeconds: 5,
          },
        },
      },
    });
    expect(second?.object.spec.template?.spec?.failureDomain).toBe('b');
    expect(second?.object.spec).not.toHaveProperty('replicas');
  });

  it('has MachinePools with objects of their own', () => {
    const [pool] = objects.machinePools;
    expect(pool?.object.spec).toMatchObject({
      replicas: 4,
      failureDomains: ['a', 'b'],
      template: { spec: { minReadySeconds: 9 } },
    });
    expect(pool?.infrastructure).toMatchObject({
      kind: 'AWSMachinePool',
      metadata: { labels: { 'topology.cluster.x-k8s.io/pool-name': 'mp-0' }, ownerReferences: [OWNER] },
      spec: { minSize: 1 },
    });
  });

  it('has health checks unless they are disabled', () => {
    const { controlPlaneHealthCheck: ofControlPlane, machineDeployments, controlPlane } = objects;
    expect(ofControlPlane?.metadata).toEqual({
      name: controlPlane.metadata.name,
      namespace: 'team',
      labels: OWNED,
      ownerReferences: [OWNER],
    });
    expect(ofControlPlane?.spec).toEqual({
      clusterName: 'demo',
      selector: { matchLabels: { 'topology.cluster.x-k8s.io/owned': '', 'cluster.x-k8s.io/control-plane': '' } },
      checks: {
        nodeStartupTimeoutSeconds: 600,
        unhealthyNodeConditions: [{ type: 'Ready', status: 'False', timeoutSeconds: 300 }],
      },
    });
    expect(machineDeployments[0]?.healthCheck?.spec).toEqual({
      clusterName: 'demo',
      selector: {
        matchLabels: { 'topology.cluster.x-k8s.io/owned': '', 'topology.cluster.x-k8s.io/deployment-name': 'md-0' },
      },
      checks: { nodeStartupTimeoutSeconds: 100 },
    });
    expect(machineDeployments[1]?.healthCheck).toBeUndefined();
  });

  it('refers to its infrastructure and control plane', () => {
    const { metadata, spec } = objects.cluster;
    expect(metadata.labels).toEqual({ tier: 'gold', ...OWNED });
    expect(spec.infrastructureRef).toMatchObject({
      kind: 'AWSCluster',
      name: objects.infrastructureCluster.metadata.name,
    });
    expect(spec.controlPlaneRef).toMatchObject({ kind: 'KubeadmControlPlane' });
    expect(progress.controlPlane.version).toBe('v1.34.0');
  });

  it('is the same when it is planned again', () => {
    expect(desiredTopology(blueprintOf(), NOTHING).objects).toEqual(objects);
  });
});

describe('a topology with the contract v1beta1', () => {
  it('has the fields of the control plane at the paths of that contract', () => {
    const { controlPlane } = desiredTopology(blueprintOf({ contract: 'v1beta1' }), NOTHING).objects;
    expect(controlPlane.spec?.machineTemplate).toMatchObject({
      infrastructureRef: { apiVersion: `${AWS}/v1beta2`, kind: 'AWSMachineTemplate', namespace: 'team' },
      readinessGates: [{ conditionType: 'Class' }],
      nodeDrainTimeout: '30s',
      nodeDeletionTimeout: '20s',
    });
  });
});

describe('names defined by the class', () => {
  it('follow its templates, and are truncated if they are too long', () => {
    const long = 'x'.repeat(80);
    const templateRef = { apiVersion: 'a/v1', kind: 'ATemplate', name: 'a' };
    const { objects } = desiredTopology(
      blueprintOf({
        spec: {
          infrastructure: {
            templateRef: { apiVersion: 'a/v1', kind: 'ATemplate', name: 'a' },
            naming: { template: '{{ .cluster.name }}-infra' },
          },
          workers: {
            machineDeployments: [
              {
                class: 'worker',
                bootstrap: { templateRef },
                infrastructure: { templateRef },
                naming: { template: `${long}-{{ .machineDeployment.topologyName }}` },
              },
            ],
          },
        },
        topology: { workers: { machineDeployments: [{ class: 'worker', name: 'w' }] } },
      }),
      NOTHING,
    );
    expect(objects.infrastructureCluster.metadata.name).toBe('demo-infra');
    expect(objects.machineDeployments[0]?.object.metadata.name).toMatch(/^x{58}[a-z0-9]{5}$/);
  });

  it('require an existing class', () => {
    const workers = { machineDeployments: [{ class: 'none', name: 'w' }] };
    expect(() => desiredTopology(blueprintOf({ topology: { workers } }), NOTHING)).toThrow(
      'failed to compute MachineDeployments: failed to compute MachineDeployment for topology "w": MachineDeployment class none not found in ClusterClass classes/full',
    );
  });
});

describe('an existing topology', () => {
  const made = desiredTopology(blueprintOf(), NOTHING).objects;
  const current = (version: string, running: string, md: string): CurrentTopology => ({
    controlPlane: {
      ...made.controlPlane,
      metadata: { ...made.controlPlane.metadata, name: 'cp-name' },
      spec: {
        ...made.controlPlane.spec,
        version,
        machineTemplate: { spec: { infrastructureRef: { name: 'old-machines' } } },
      },
      status: { versions: [{ version: running }] },
    } as AnyObject,
    machineDeployments: new Map(
      made.machineDeployments.map(({ topologyName, object }) => [
        topologyName,
        {
          isUpgrading: false,
          object: {
            ...object,
            metadata: { ...object.metadata, name: `kept-${topologyName}` },
            spec: {
              ...object.spec,
              template: { ...object.spec.template, spec: { ...object.spec.template?.spec, version: md } },
            },
          } as MachineDeployment,
        },
      ]),
    ),
    machinePools: new Map(),
  });

  it('keeps the names of its objects', () => {
    const { objects } = desiredTopology(blueprintOf(), current('v1.34.0', 'v1.34.0', 'v1.34.0'));
    expect(objects.machineInfrastructure?.metadata.name).toBe('old-machines');
    expect(objects.machineDeployments.map(({ object }) => object.metadata.name)).toEqual(['kept-md-0', 'kept-md-1']);
    expect(objects.machineDeployments[0]?.bootstrap.metadata.name).toBe(
      made.machineDeployments[0]?.bootstrap.metadata.name,
    );
  });

  it('is upgraded step by step, and the cluster shows the step', () => {
    const step = 'topology.internal.cluster.x-k8s.io/upgrade-step';
    const wanted = blueprintOf({ topology: { version: 'v1.35.0' } });
    const first = desiredTopology(wanted, current('v1.34.0', 'v1.34.0', 'v1.34.0')).objects;
    expect(first.controlPlane.spec?.version).toBe('v1.35.0');
    expect(first.cluster.metadata.annotations).toEqual({ [step]: 'v1.35.0' });
    const second = desiredTopology(wanted, current('v1.35.0', 'v1.34.0', 'v1.34.0')).objects;
    expect(second.machineDeployments.map(({ object }) => object.spec.template?.spec?.version)).toEqual([
      'v1.34.0',
      'v1.34.0',
    ]);
    const third = desiredTopology(wanted, current('v1.35.0', 'v1.35.0', 'v1.34.0')).objects;
    expect(third.machineDeployments.map(({ object }) => object.spec.template?.spec?.version)).toEqual([
      'v1.35.0',
      'v1.34.0',
    ]);
    const last = desiredTopology(wanted, current('v1.35.0', 'v1.35.0', 'v1.35.0')).objects;
    expect(last.cluster.metadata.annotations).toBeUndefined();
  });
});
