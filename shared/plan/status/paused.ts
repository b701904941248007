import type { KubeObject } from '../../kube-api/object.ts';
import { ANNOTATION } from '../labels.ts';

/** Whether an object is to be left alone by the annotation `cluster.x-k8s.io/paused`, whatever its value. */
export const isObjectPaused = ({ metadata }: KubeObject): boolean => ANNOTATION.paused in (metadata.annotations ?? {});
