import { expect, it } from 'vitest';
import { type AWSMachine, kinds, type Machine } from '../../shared/kinds/index.ts';
import type { ObjectClient } from '../../shared/kube-api/storage/client.ts';
import { controllerReference } from '../../shared/plan/machines/desired.ts';
import { readInfrastructure } from './snapshot.ts';

const machine = (name: string): Machine => ({
  apiVersion: 'cluster.x-k8s.io/v1beta2',
  kind: 'Machine',
  metadata: { namespace: 'default', name, uid: `uid-${name}` },
  spec: {
    clusterName: 'red',
    bootstrap: {},
    infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'AWSMachine', name: 'one' },
  },
});

it('leaves out infrastructure that another machine controls', async () => {
  const [owner, copy] = [machine('owner'), machine('copy')];
  const infrastructure = {
    ...{
      apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
      kind: 'AWSMachine',
      spec: { instanceType: 't3.large' },
    },
    metadata: { namespace: 'default', name: 'one', ownerReferences: [controllerReference(owner)] },
  } as AWSMachine;
  const listOfCluster = (async ({ kind }: { kind: string }) =>
    kind === kinds.awsMachine.kind ? [infrastructure] : []) as unknown as ObjectClient['listOfCluster'];
  const cluster = { namespace: 'default', name: 'red' };
  const get = async () => undefined;
  const found = await readInfrastructure({ get, listOfCluster }, cluster, Promise.resolve([copy, owner]));
  expect([...found.keys()]).toEqual(['owner']);
});

it('finds infrastructure without a cluster label by its name, but not infrastructure with the label of another cluster', async () => {
  const label = 'cluster.x-k8s.io/cluster-name';
  const one = (labels: Record<string, string>): AWSMachine => ({
    ...{ apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2', kind: 'AWSMachine' },
    ...{ metadata: { namespace: 'default', name: 'one', labels }, spec: { instanceType: 't3.large' } },
  });
  const lookUp = async (object: AWSMachine, listed: readonly AWSMachine[]) => {
    let calls = 0;
    const get = (async () => {
      calls += 1;
      return object;
    }) as unknown as ObjectClient['get'];
    const listOfCluster = (async () => listed) as unknown as ObjectClient['listOfCluster'];
    const cluster = { namespace: 'default', name: 'red' };
    const found = await readInfrastructure({ get, listOfCluster }, cluster, Promise.resolve([machine('owner')]));
    return [found.has('owner'), calls];
  };
  expect(await lookUp(one({}), [])).toEqual([true, 1]);
  expect(await lookUp(one({ [label]: 'blue' }), [])).toEqual([false, 1]);
  expect(await lookUp(one({}), [one({ [label]: 'red' })])).toEqual([true, 0]);
});
