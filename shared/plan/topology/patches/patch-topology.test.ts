import { describe, expect, it } from 'vitest';
import { desiredTopology } from '../desired/desired-topology.ts';
import { blueprintOf, NOTHING } from '../desired/test-blueprint.ts';

const OWNED = { 'cluster.x-k8s.io/cluster-name': 'demo', 'topology.cluster.x-k8s.io/owned': '' };
const AWS = 'infrastructure.cluster.x-k8s.io';

describe('patches of a class', () => {
  const aws = (kind: string) => ({ apiVersion: `${AWS}/v1beta2`, kind });
  const spec = '/spec/template/spec';
  const { objects } = desiredTopology(
    blueprintOf({
      spec: {
        patches: [
          {
            name: 'type',
            definitions: [
              {
                selector: {
                  ...aws('AWSMachineTemplate'),
                  matchResources: { controlPlane: true, machineDeploymentClass: { names: ['*'] } },
                },
                jsonPatches: [{ op: 'replace', path: `${spec}/instanceType`, valueFrom: { variable: 'type' } }],
              },
            ],
          },
          {
            name: 'facts',
            definitions: [
              {
                selector: { ...aws('AWSClusterTemplate'), matchResources: { infrastructureCluster: true } },
                jsonPatches: [
                  {
                    op: 'add',
                    path: `${spec}/name`,
                    valueFrom: { template: '{{ .builtin.cluster.name }}.{{ .builtin.cluster.network.serviceDomain }}' },
                  },
                  { op: 'add', path: '/spec/template/metadata/labels/patched', value: 'yes' },
                  { op: 'add', path: '/spec/template/metadata/labels/topology.cluster.x-k8s.io~1owned', value: 'no' },
                ],
              },
              {
                selector: {
                  apiVersion: 'controlplane.cluster.x-k8s.io/v1beta2',
                  kind: 'KubeadmControlPlaneTemplate',
                  matchResources: { controlPlane: true },
                },
                jsonPatches: [
                  { op: 'add', path: `${spec}/zone`, valueFrom: { variable: 'zone' } },
                  { op: 'add', path: `${spec}/version`, value: 'v0.0.0' },
                  { op: 'add', path: `${spec}/rollout`, value: { before: {} } },
                ],
              },
              {
                selector: {
                  ...aws('AWSMachinePoolTemplate'),
                  matchResources: { machinePoolClass: { names: ['pool'] } },
                },
                jsonPatches: [
                  { op: 'add', path: `${spec}/maxSize`, valueFrom: { variable: 'builtin.machinePool.replicas' } },
                ],
              },
            ],
          },
        ],
      },
    }),
    NOTHING,
  );

  it('change the templates, each with its own variables', () => {
    expect(objects.machineInfrastructure?.spec).toEqual({ template: { spec: { instanceType: 'm5.xlarge' } } });
    expect(objects.machineDeployments.map(({ infrastructure }) => infrastructure.spec)).toEqual([
      { template: { spec: { instanceType: 'c5.large' } } },
      { template: { spec: { instanceType: 'm5.xlarge' } } },
    ]);
    expect(objects.machinePools[0]?.infrastructure.spec).toEqual({ minSize: 1, maxSize: 4 });
  });

  it('change objects, except for fields that the topology sets and metadata that identifies objects', () => {
    expect(objects.infrastructureCluster.spec).toEqual({ region: 'eu-west-1', name: 'demo.cluster.local' });
    expect(objects.infrastructureCluster.metadata.labels).toEqual({ of: 'aws', patched: 'yes', ...OWNED });
    expect(objects.controlPlane.spec).toMatchObject({
      zone: 'cp',
      version: 'v1.34.0',
      replicas: 3,
      rollout: { before: {} },
      machineTemplate: { spec: { infrastructureRef: { name: objects.machineInfrastructure?.metadata.name } } },
    });
  });
});
