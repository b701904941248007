import type { ResourceDefinition } from '../../../../shared/kube-api/resource.ts';
import { ADDON_KINDS } from './addon-kinds.ts';
import { customResourceDefinition } from './custom-resources.ts';
import { evict } from './eviction.ts';
import {
  certificateSigningRequest,
  clusterRole,
  clusterRoleBinding,
  configMap,
  daemonSet,
  deployment,
  event,
  lease,
  namespace,
  node,
  persistentVolume,
  persistentVolumeClaim,
  pod,
  podDisruptionBudget,
  replicaSet,
  role,
  roleBinding,
  secret,
  service,
  serviceAccount,
  volumeAttachment,
} from './kinds.ts';

/** Every kind that the API server of a simulated workload cluster serves by itself. */
export const WORKLOAD_KINDS: readonly ResourceDefinition[] = [
  node,
  // It refers to the kinds itself, so it is added to them here.
  { ...pod, actions: { eviction: { group: 'policy', version: 'v1', kind: 'Eviction', run: evict } } },
  secret,
  configMap,
  namespace,
  event,
  serviceAccount,
  service,
  lease,
  certificateSigningRequest,
  deployment,
  replicaSet,
  daemonSet,
  podDisruptionBudget,
  persistentVolume,
  persistentVolumeClaim,
  volumeAttachment,
  role,
  roleBinding,
  clusterRole,
  clusterRoleBinding,
  ...ADDON_KINDS,
  customResourceDefinition,
] as readonly ResourceDefinition[];
