import type { KubeObject } from '../../kube-api/object.ts';
import { ANNOTATION } from '../labels.ts';

/** Whether an object must be left alone because of the annotation `cluster.x-k8s.io/paused`, with any value. */
export const isObjectPaused = ({ metadata }: KubeObject): boolean => ANNOTATION.paused in (metadata.annotations ?? {});
