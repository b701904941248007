import type { Cluster } from '../../kinds/index.ts';
import type { KubeObject } from '../../kube-api/object.ts';
import { ANNOTATION } from '../labels.ts';
import type { ConditionClaim } from './conditions.ts';

/** Whether an object must be left alone because it has the annotation `cluster.x-k8s.io/paused`, with any value. */
export const isObjectPaused = ({ metadata }: KubeObject): boolean => ANNOTATION.paused in (metadata.annotations ?? {});

/** `Paused`, caused by the Cluster or by the annotation of one of `objects` (upstream's util/paused). */
export const pausedClaim = (cluster: Cluster | undefined, ...objects: readonly KubeObject[]): ConditionClaim => {
  const annotated = [...(cluster ? [cluster] : []), ...objects].filter(isObjectPaused);
  const reasons = [
    ...(cluster?.spec.paused ? ['Cluster spec.paused is set to true'] : []),
    ...annotated.map(({ kind }) => `${kind} has the ${ANNOTATION.paused} annotation`),
  ];
  return reasons.length > 0
    ? { type: 'Paused', status: 'True', reason: 'Paused', message: reasons.join(', ') }
    : { type: 'Paused', status: 'False', reason: 'NotPaused' };
};
