/** For tests: a machine whose instance has taken over the address of an ended one. */
import { kinds } from '../../../../shared/kinds/index.ts';
import type { ObjectClient } from '../../../../shared/kube-api/storage/client.ts';

const metadata = { name: 'm-9', namespace: 'default', labels: { 'cluster.x-k8s.io/cluster-name': 'red' } };
const providerID = 'aws:///us-east-1a/i-9';

/** Creates the Machine `m-9` with an instance whose DNS name is that of a node. */
export const putNewer = async (objects: ObjectClient, node: string): Promise<void> => {
  await objects.ensure(kinds.awsMachine, {
    apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
    kind: 'AWSMachine',
    metadata,
    spec: { instanceType: 't3.large', providerID, instanceID: 'i-9' },
    status: { addresses: [{ type: 'InternalDNS', address: node }] },
  });
  await objects.ensure(kinds.machine, {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Machine',
    metadata,
    spec: {
      clusterName: 'red',
      providerID,
      bootstrap: { dataSecretName: 'm-9' },
      infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'AWSMachine', name: 'm-9' },
    },
  });
};
