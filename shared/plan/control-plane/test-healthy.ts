/** For tests: the conditions of a control plane machine whose components work. */
import type { Condition } from '../../kube-api/object.ts';
import { POD_CONDITIONS } from './health.ts';

export const HEALTHY: Condition[] = [...POD_CONDITIONS, 'EtcdPodHealthy'].map((type) => ({
  ...{ type, status: 'True', reason: 'Running', message: '' },
  lastTransitionTime: '2026-01-01T00:00:00Z',
}));
