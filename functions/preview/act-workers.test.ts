import { expect, it } from 'vitest';
import { actWorkers } from './act-workers.ts';
import { UNLIMITED } from './allowance.ts';
import { templateKey, type World } from './world.ts';

const REF = { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'AWSMachineTemplate', name: 't' };
const METADATA = { namespace: 'default', name: 'md', uid: 'set' };

/**
 * A standalone set without machines, in a cluster whose control plane has this version and belongs to an external
 * provider.
 */
const worldOf = (version: string): World => {
  const controlPlaneRef = { apiGroup: 'controlplane.cluster.x-k8s.io', kind: 'RackControlPlane', name: 'cp' };
  const set = {
    ...{ apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'MachineSet', metadata: METADATA },
    spec: {
      ...{ clusterName: 'red', replicas: 1, selector: { matchLabels: { set: 'md' } } },
      template: {
        metadata: { labels: { set: 'md' } },
        spec: { version: 'v1.34.0', infrastructureRef: REF, bootstrap: { dataSecretName: 'data' } },
      },
    },
  };
  const cluster = {
    metadata: { namespace: 'default', name: 'red' },
    spec: { controlPlaneRef },
    status: { initialization: { controlPlaneInitialized: true } },
  };
  return {
    snapshot: {
      ...{ cluster, sets: [set], deployments: [], machines: [], infrastructureMachines: new Map() },
      ...{ controlPlane: null, infrastructureCluster: null },
    },
    templates: new Map([
      [
        templateKey(REF.kind, REF.name),
        { metadata: { name: REF.name }, spec: { template: { spec: { instanceType: 't3.large' } } } },
      ],
    ]),
    outsideControlPlane: {
      ...{ apiVersion: 'controlplane.cluster.x-k8s.io/v1', kind: 'RackControlPlane', metadata: { name: 'cp' } },
      ...{ spec: { version }, status: { version, initialization: { controlPlaneInitialized: true } } },
    },
    ...{
      configs: new Map(),
      pools: [],
      unborn: new Set(),
      used: new Set(),
      allowance: UNLIMITED,
      now: new Date('2026-01-01T00:00:00Z'),
    },
  } as unknown as World;
};

const blockedOf = (world: World) => actWorkers(world).acted.map(({ blocked }) => blocked);

it('considers the version of an external control plane, for which nothing is planned', () => {
  expect(blockedOf(worldOf('v1.33.0'))).toEqual([expect.stringContaining('MachineSet version')]);
  expect(blockedOf(worldOf('v1.34.0'))).toEqual([undefined]);
});
