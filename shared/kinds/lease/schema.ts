import type * as z from 'zod';
import type { KubeObject } from '../../kube-api/object.ts';
import { anyText, int32, microTime, options } from '../schema/fields.ts';

const spec = options({
  holderIdentity: anyText,
  leaseDurationSeconds: int32(),
  acquireTime: microTime,
  renewTime: microTime,
  leaseTransitions: int32(),
  strategy: anyText,
  preferredHolder: anyText,
});

export const leaseSchema = options({ spec });

/** coordination.k8s.io/v1: who is the leader, and until when. */
export interface Lease extends KubeObject, z.input<typeof leaseSchema> {}
