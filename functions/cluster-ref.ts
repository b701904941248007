import type { KubeObject } from '../shared/kube-api/object.ts';
import type { ClusterRef } from '../shared/work/payloads.ts';

/** The reference to a cluster in payloads and in the table. */
export const clusterRefOf = ({
  metadata: { namespace = '', name, uid = '' },
}: Pick<KubeObject, 'metadata'>): ClusterRef => ({
  namespace,
  name,
  uid,
});
