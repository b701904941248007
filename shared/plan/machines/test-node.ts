import type { V1NodeCondition } from '@kubernetes/client-node';

/** The conditions that a kubelet reports beside `Ready`, of a node with enough of everything. */
export const ENOUGH: readonly V1NodeCondition[] = ['MemoryPressure', 'DiskPressure', 'PIDPressure'].map((type) => ({
  type,
  status: 'False',
}));
