import type { V1NodeCondition } from '@kubernetes/client-node';

/** The conditions that a kubelet reports in addition to `Ready`, for a node with sufficient resources. */
export const ENOUGH: readonly V1NodeCondition[] = ['MemoryPressure', 'DiskPressure', 'PIDPressure'].map((type) => ({
  type,
  status: 'False',
}));
