/**
 * References in v1beta1, which contain a namespace. They must be resolved in the namespace of the object that contains
 * them.
 */
import type { Cluster, Machine } from '../../../../shared/kinds/index.ts';
import type { Attack } from '../attack.ts';
import { ATTACKER, CLUSTER, pathOf, VICTIM, type World } from '../world.ts';

const reference = (group: string, kind: string) => ({
  apiVersion: `${group}.cluster.x-k8s.io/v1beta1`,
  kind,
  name: CLUSTER,
  namespace: VICTIM,
});

/** Creates an object, runs a sweep, and deletes the object. */
const comesAndGoes = async <T>({ laptop, mallory }: World, plural: string, body: object): Promise<T | undefined> => {
  await mallory.send('POST', pathOf(ATTACKER, plural, 'core', 'v1beta1'), body);
  await laptop.runtime.invoke('Windlass-drift', {});
  const path = `${pathOf(ATTACKER, plural)}/reference`;
  const found = await laptop.get<T>(path);
  await mallory.send('DELETE', path);
  await laptop.until('it is gone', async () => (await laptop.get(path)) === undefined);
  return found;
};

export const REFERENCES: readonly Attack[] = [
  {
    what: 'refers to the AWSCluster of alice',
    harmless: async (world) => {
      const found = await comesAndGoes<Cluster>(world, 'clusters', {
        apiVersion: 'cluster.x-k8s.io/v1beta1',
        kind: 'Cluster',
        metadata: { name: 'reference', namespace: ATTACKER },
        spec: { infrastructureRef: reference('infrastructure', 'AWSCluster') },
      });
      if (found?.status?.initialization?.infrastructureProvisioned) throw new Error('it has the network of alice');
    },
  },
  {
    what: 'refers to the bootstrap configuration and the machine of alice',
    harmless: async (world) => {
      const { name } = world.victim.machine.metadata;
      const found = await comesAndGoes<Machine>(world, 'machines', {
        apiVersion: 'cluster.x-k8s.io/v1beta1',
        kind: 'Machine',
        metadata: { name: 'reference', namespace: ATTACKER },
        spec: {
          clusterName: CLUSTER,
          bootstrap: { configRef: { ...reference('bootstrap', 'KubeadmConfig'), name } },
          infrastructureRef: { ...reference('infrastructure', 'AWSMachine'), name },
        },
      });
      if (found?.spec.providerID) throw new Error('it has the instance of alice');
    },
  },
];
