import { expect, it } from 'vitest';
import { classWith, worker } from './test-class.ts';
import { validateClusterForClass } from './validate-cluster.ts';

it('groups of workers are checked without comparing every pair', { timeout: 45_000 }, () => {
  const names = Array.from({ length: 60_000 }, (_, index) => `w${index}`);
  const clusterClass = classWith({
    workers: { machineDeployments: names.map((name) => ({ ...worker, class: name })) },
  });
  const machineDeployments = names.map((name) => ({ class: name, name, replicas: 1 }));
  const topology = { classRef: { name: 'class' }, version: 'v1.35.0', workers: { machineDeployments } };
  const cluster = { metadata: { name: 'one' } };
  expect(validateClusterForClass(cluster, topology, clusterClass)).toEqual([]);
  machineDeployments.push({ class: 'none', name: 'w1', replicas: 1 });
  expect(validateClusterForClass(cluster, topology, clusterClass).map(({ field }) => field)).toEqual([
    'spec.topology.workers.machineDeployments[60000].class',
    'spec.topology.workers.machineDeployments[60000].name',
  ]);
});
