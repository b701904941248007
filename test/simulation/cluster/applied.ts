import { ENDPOINT, quickstart } from '../../../functions/cluster/objects/test-world.ts';
import { type AWSCluster, KINDS, type Secret } from '../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import { createRegistry } from '../../../shared/kube-api/registry/create-registry.ts';
import { ensureNamespaces } from '../../../shared/kube-api/registry/namespaces.ts';
import { createMemoryStorage } from '../../../shared/kube-api/storage/memory-storage.ts';
import { createObjectClient } from '../../../shared/kube-api/storage/object-client.ts';
import { seededRandom } from '../../../shared/seeded-random.ts';
import { createMemoryRecords } from '../../../shared/store/records/memory-records.ts';
import { withMemory } from '../../../shared/store/records/remembering-client.ts';
import { CLUSTER, DEPLOYMENT } from './world.ts';

const ready = (cluster: AWSCluster): AWSCluster => ({
  ...cluster,
  spec: { ...cluster.spec, controlPlaneEndpoint: ENDPOINT },
  status: {
    ...cluster.status,
    ready: true,
    failureDomains: { a: { controlPlane: true }, b: { controlPlane: true }, c: { controlPlane: true } },
  } as AWSCluster['status'],
});

const kubeconfig = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { namespace: 'default', name: `${CLUSTER}-kubeconfig` },
  data: { value: Buffer.from('the simulation knows the way').toString('base64') },
} as Secret;

const healthCheck = (name: string, matchLabels: Record<string, string>) =>
  ({
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'MachineHealthCheck',
    metadata: { namespace: 'default', name },
    spec: {
      clusterName: CLUSTER,
      selector: { matchLabels },
      checks: {
        nodeStartupTimeoutSeconds: 1200,
        unhealthyNodeConditions: [{ type: 'Ready', status: 'Unknown', timeoutSeconds: 120 }],
      },
    },
  }) as KubeObject;

const healthChecks = [
  healthCheck('control-plane', { 'cluster.x-k8s.io/control-plane': '' }),
  healthCheck('workers', { 'cluster.x-k8s.io/deployment-name': DEPLOYMENT }),
];

/** The example with health checks as the API stores it, with an existing network and load balancer. */
export const appliedCluster = async (): Promise<KubeObject[]> => {
  const clock = { now: () => new Date('2026-01-01T00:00:00Z'), sleep: async () => {} };
  const registry = createRegistry({ resources: KINDS, storage: createMemoryStorage(), clock, random: seededRandom(1) });
  await ensureNamespaces(registry);
  const objects = withMemory(createObjectClient(registry), createMemoryRecords());
  const stored: KubeObject[] = [];
  for (const object of [...(await quickstart()), kubeconfig, ...healthChecks]) {
    const resource = KINDS.find(({ kind }) => kind === object.kind);
    if (!resource) throw new Error(`no kind ${object.kind}`);
    const { object: made } = await objects.ensure(resource, object);
    stored.push(made.kind === 'AWSCluster' ? ready(made as AWSCluster) : made);
  }
  return stored;
};
