import { secretName } from '../../shared/bootstrap/certificates/secrets.ts';
import { SealError } from '../../shared/errors.ts';
import { type Cluster, kinds } from '../../shared/kinds/index.ts';
import type { ObjectClient } from '../../shared/kube-api/storage/client.ts';
import type { WorkloadTarget } from '../../shared/workload/access.ts';
import { WorkloadUnreachableError } from '../../shared/workload/client.ts';

/** The connection data for a client of a workload cluster; undefined as long as there is no kubeconfig. */
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

/**
 * Like `readWorkloadTarget`, for work that waits for the API server. Throws WorkloadUnreachableError if there is no
 * kubeconfig or if it cannot be opened; the error then has KMS's refusal, which users can see in a condition.
 */
export const requireWorkloadTarget = async (
  objects: Pick<ObjectClient, 'get'>,
  cluster: Cluster | null,
): Promise<WorkloadTarget> => {
  try {
    const target = cluster && (await readWorkloadTarget(objects, cluster));
    if (target) return target;
  } catch (error) {
    if (!(error instanceof SealError)) throw error;
    throw new WorkloadUnreachableError(error.message, { cause: error });
  }
  throw new WorkloadUnreachableError('the kubeconfig Secret does not exist');
};
