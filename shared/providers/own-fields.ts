import { DISTRIBUTIONS } from '../distributions/registry.ts';
import { KINDS } from '../kinds/index.ts';
import type { ResourceId } from '../kube-api/object.ts';
import type { OwnFields } from '../plan/annotations/controllers-own.ts';
import { FINALIZER } from '../plan/labels.ts';
import { INFRASTRUCTURES } from './registry.ts';

const idOf = ({ group, plural }: ResourceId): string => `${plural}.${group}`;

/** Fields of the core's kinds that the controllers write. A user who adopts existing resources sets them. */
const CORE: OwnFields = {
  'machines.cluster.x-k8s.io': ['spec.providerID'],
  'machinepools.cluster.x-k8s.io': ['spec.providerIDList'],
};

const FIELDS: OwnFields = Object.assign({}, CORE, ...INFRASTRUCTURES.map(({ ownFields }) => ownFields));

const PROVIDED: ReadonlySet<string> = new Set(
  INFRASTRUCTURES.flatMap((one) => [one.cluster, one.machine, one.machineTemplate, ...(one.others ?? [])].map(idOf)),
);

const isReconciled = (resource: ResourceId): boolean =>
  resource.group.endsWith('cluster.x-k8s.io') || PROVIDED.has(idOf(resource));

/** The kinds whose status the controllers write, with the fields of their spec that only controllers write. */
const OWN: ReadonlyMap<string, readonly string[]> = new Map(
  KINDS.filter(isReconciled).map((resource) => [idOf(resource), FIELDS[idOf(resource)] ?? []]),
);

/**
 * The finalizers of the controllers. Without them, an object would disappear before the instance, network or group that
 * it represents, and nothing would find that afterwards.
 */
export const OWN_FINALIZERS: ReadonlySet<string> = new Set([
  ...Object.values(FINALIZER),
  ...DISTRIBUTIONS.flatMap(({ finalizer }) => finalizer ?? []),
  ...INFRASTRUCTURES.flatMap(({ finalizers, pool }) => [
    ...Object.values(finalizers),
    ...(pool ? [pool.finalizer] : []),
  ]),
]);

/**
 * The fields of the spec that only controllers write. Undefined for a kind that is not reconciled here, such as a
 * custom resource: its status also belongs to its users.
 */
export const ownFieldsOf = (resource: ResourceId): readonly string[] | undefined => OWN.get(idOf(resource));
