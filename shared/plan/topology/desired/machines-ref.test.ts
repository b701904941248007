import { expect, it } from 'vitest';
import { valueAt } from '../path.ts';
import { desiredTopology } from './desired-topology.ts';
import { blueprintOf, NOTHING } from './test-blueprint.ts';

const GROUP = 'infrastructure.cluster.x-k8s.io';
const PATH = ['spec', 'machineTemplate', 'infrastructureRef'];

it.each([
  {
    is: `${GROUP}/v1beta3`,
    kind: 'AWSMachineTemplate',
    becomes: `${GROUP}/v1beta3`,
    why: 'its provider has set a newer version',
  },
  { is: 'other.example.com/v1', kind: 'AWSMachineTemplate', becomes: `${GROUP}/v1beta2`, why: 'the group differs' },
  { is: `${GROUP}/v1beta3`, kind: 'Other', becomes: `${GROUP}/v1beta2`, why: 'the kind differs' },
])('a control plane of v1beta1 refers to machines in $becomes if $why', ({ is, kind, becomes }) => {
  const infrastructureRef = { apiVersion: is, kind, name: 'cp', namespace: 'team' };
  const controlPlane = {
    ...{ apiVersion: 'controlplane.cluster.x-k8s.io/v1beta1', kind: 'KubeadmControlPlane', metadata: { name: 'cp' } },
    spec: { version: 'v1.34.0', machineTemplate: { infrastructureRef } },
    status: { version: 'v1.34.0' },
  };
  const { objects } = desiredTopology(blueprintOf({ contract: 'v1beta1' }), { ...NOTHING, controlPlane });
  expect(valueAt(objects.controlPlane, PATH)).toMatchObject({ apiVersion: becomes, kind: 'AWSMachineTemplate' });
});
