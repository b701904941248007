import { kinds } from '../../shared/kinds/index.ts';
import type { Admission, AdmissionAttempt } from '../../shared/kube-api/admission-control.ts';
import type { KubeObject } from '../../shared/kube-api/object.ts';
import type { ResourceDefinition } from '../../shared/kube-api/resource.ts';
import type { AdmitRequest } from '../../shared/kube-api/server/for-user.ts';
import type { Storage } from '../../shared/kube-api/storage.ts';
import { GROUP } from '../../shared/plan/labels.ts';

export interface WarnDependencies {
  storage: Pick<Storage, 'get'>;
}

/** Nothing reads such an object before its Cluster exists, so nothing would report on it. */
const warningsOf = async (
  { storage }: WarnDependencies,
  { operation, resource, namespace, object, dryRun }: AdmissionAttempt,
): Promise<string[]> => {
  // A plan says it of a dry run.
  if (operation !== 'CREATE' || dryRun || resource.group !== GROUP.core || !object) return [];
  const { clusterName } = ((await object()) as KubeObject & { spec?: { clusterName?: unknown } }).spec ?? {};
  if (typeof clusterName !== 'string' || clusterName === '') return [];
  const cluster = await storage.get(kinds.cluster as unknown as ResourceDefinition, namespace, clusterName);
  return cluster
    ? []
    : [
        `spec.clusterName: Cluster ${clusterName} does not exist in namespace ${namespace}; until it does, nothing happens`,
      ];
};

/** Admission that warns about objects whose Cluster does not exist, besides that of `next`. */
export const makeWarnAbsentCluster =
  (deps: WarnDependencies, next: AdmitRequest): AdmitRequest =>
  (request): Admission => {
    const { mutate, validate } = next(request);
    return {
      mutate,
      validate: async (attempt) => [...(await validate(attempt)), ...(await warningsOf(deps, attempt))],
    };
  };
