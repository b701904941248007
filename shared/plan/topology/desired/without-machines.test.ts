import { expect, it } from 'vitest';
import { valueAt } from '../path.ts';
import { desiredTopology } from './desired-topology.ts';
import { blueprintOf, NOTHING } from './test-blueprint.ts';

it('a control plane without machines has no template for them, no reference to one, and no health check', () => {
  const blueprint = blueprintOf();
  const { machineInfrastructure: _, healthCheck: __, ...controlPlane } = blueprint.clusterClass.spec.controlPlane;
  const without = { ...blueprintOf({ spec: { controlPlane } }), machineInfrastructure: undefined };
  const { objects } = desiredTopology(without, NOTHING);
  expect(objects.machineInfrastructure).toBeUndefined();
  expect(objects.controlPlaneHealthCheck).toBeUndefined();
  expect(valueAt(objects.controlPlane, ['spec', 'machineTemplate', 'spec', 'infrastructureRef'])).toBeUndefined();
  expect(valueAt(objects.controlPlane, ['spec', 'machineTemplate', 'metadata'])).toEqual(
    valueAt(blueprint.controlPlane, ['spec', 'template', 'spec', 'machineTemplate', 'metadata']),
  );
  expect(objects.controlPlane.spec).toMatchObject({ replicas: 3, version: 'v1.34.0' });
  expect(objects.machineDeployments).toHaveLength(2);
});
