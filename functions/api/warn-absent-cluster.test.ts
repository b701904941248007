import { expect, it } from 'vitest';
import { createTestApi } from './test-api.ts';

const CORE = '/apis/cluster.x-k8s.io/v1beta2/namespaces/default';
const INFRASTRUCTURE = 'infrastructure.cluster.x-k8s.io';
const cluster = (name: string) => ({
  apiVersion: 'cluster.x-k8s.io/v1beta2',
  kind: 'Cluster',
  metadata: { name },
  spec: { infrastructureRef: { apiGroup: INFRASTRUCTURE, kind: 'AWSCluster', name } },
});
const deployment = (name: string, clusterName: string) => ({
  apiVersion: 'cluster.x-k8s.io/v1beta2',
  kind: 'MachineDeployment',
  metadata: { name },
  spec: {
    clusterName,
    template: {
      spec: {
        clusterName,
        bootstrap: { dataSecretName: 'data' },
        infrastructureRef: { apiGroup: INFRASTRUCTURE, kind: 'AWSMachineTemplate', name },
      },
    },
  },
});

const setUp = async () => {
  const { user } = createTestApi();
  const { send } = user('admin', ['system:masters']);
  await send('POST', `${CORE}/clusters`, cluster('red'));
  return async (method: string, path: string, body?: object) => {
    const answer = await send(method, `${CORE}/${path}`, body);
    expect(answer.ok, await answer.clone().text()).toBe(true);
    return answer.headers.get('warning');
  };
};

const WARNING =
  '299 - "spec.clusterName: Cluster rde does not exist in namespace default; until it does, nothing happens"';

it('warns about a new object whose Cluster does not exist', async () => {
  const warningOf = await setUp();
  expect(await warningOf('POST', 'machinedeployments', deployment('a', 'rde'))).toBe(WARNING);
  expect(await warningOf('PATCH', 'machinedeployments/a', { spec: { replicas: 3 } })).toBeNull();
});

it('does not warn if the Cluster exists', async () => {
  const warningOf = await setUp();
  expect(await warningOf('POST', 'machinedeployments', deployment('a', 'red'))).toBeNull();
});

it('leaves it to the plan of a dry run', async () => {
  const warningOf = await setUp();
  const warning = await warningOf('POST', 'machinedeployments?dryRun=All', deployment('a', 'rde'));
  expect(warning).toContain('plan: Cluster rde does not exist: nothing is created until it does');
  expect(warning).not.toContain('spec.clusterName');
});
