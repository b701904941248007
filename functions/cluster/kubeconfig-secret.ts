import { secretName } from '../../shared/bootstrap/certificates/secrets.ts';
import { type Cluster, kinds } from '../../shared/kinds/index.ts';
import type { ObjectClient } from '../../shared/kube-api/client.ts';
import type { WorkloadTarget } from '../../shared/workload/access.ts';

/** What a client of a created cluster needs; undefined before there is a kubeconfig. */
export const readWorkloadTarget = async (
  objects: Pick<ObjectClient, 'get'>,
  { metadata: { name: clusterName, namespace = '' }, spec }: Cluster,
): Promise<WorkloadTarget | undefined> => {
  const name = secretName(clusterName, 'kubeconfig');
  const secret = await objects.get(kinds.secret, { namespace, name });
  const value = secret?.data?.value;
  if (!value) return undefined;
  const kubeconfig = Buffer.from(value, 'base64').toString('utf8');
  return { kubeconfig, source: `Secret ${name}`, endpoint: spec.controlPlaneEndpoint };
};
