import type { Cluster } from '../../kinds/index.ts';
import { isObject, type JsonObject } from '../../kube-api/json.ts';
import { ANNOTATION } from '../labels.ts';

/** What initializes nodes. With `auto`, Windlass does unless another program does. */
export type InitializationSwitch = 'Enabled' | 'Disabled' | 'auto';

/** The value of the cluster's annotation; admission refuses other values. */
export const initializationSwitch = ({ metadata }: Cluster): InitializationSwitch => {
  const value = metadata.annotations?.[ANNOTATION.nodeInitialization];
  return value === 'Enabled' || value === 'Disabled' ? value : 'auto';
};

const MARK = 'cloud-controller-manager';

const isMarked = (value: unknown): boolean => typeof value === 'string' && value.includes(MARK);

/** `registry/provider-aws/cloud-controller-manager:v1.2.3@sha256:…` → `cloud-controller-manager:v1.2.3@sha256:…` */
const imageName = (image: unknown): unknown =>
  typeof image === 'string' ? image.split('@')[0]?.split('/').at(-1) : image;

const objectAt = (value: JsonObject | undefined, key: string): JsonObject | undefined => {
  const found = value?.[key];
  return isObject(found) ? found : undefined;
};

/** The containers of a pod, or of the pods that an object creates. */
const containersOf = (object: JsonObject): JsonObject[] => {
  const spec = objectAt(object, 'spec');
  const pod = objectAt(objectAt(spec, 'template'), 'spec') ?? spec;
  return Array.isArray(pod?.containers) ? pod.containers.filter(isObject) : [];
};

const KINDS: readonly unknown[] = ['DaemonSet', 'Deployment', 'Pod', 'StatefulSet', 'ReplicaSet'];

/**
 * Whether an object runs a cloud controller manager: for all providers, its own name, that of a container or that of
 * the image shows it. `kind` is given if the object is an item of a list and has no kind itself.
 */
export const isCloudController = (object: JsonObject, kind: unknown = object.kind): boolean => {
  if (!KINDS.includes(kind)) return false;
  const containers = containersOf(object);
  if (containers.length === 0) return false;
  return (
    isMarked(objectAt(object, 'metadata')?.name) ||
    containers.some(({ name, image }) => isMarked(name) || isMarked(imageName(image)))
  );
};
