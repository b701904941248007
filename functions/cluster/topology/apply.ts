import type { Clock } from '../../../shared/clock.ts';
import { type Cluster, kinds } from '../../../shared/kinds/index.ts';
import { type KubeObject, keyOf } from '../../../shared/kube-api/object.ts';
import { StatusError } from '../../../shared/kube-api/status-error.ts';
import type { ObjectClient } from '../../../shared/kube-api/storage/client.ts';
import type { ContractKinds } from '../../../shared/outside/kinds.ts';
import { LABEL } from '../../../shared/plan/labels.ts';
import { TopologyError } from '../../../shared/plan/topology/error.ts';
import { hookMemoryOf, withHookMemory } from '../../../shared/plan/topology/hooks/memory.ts';
import { type AnyObject, TOPOLOGY_LABEL, UPGRADE_STEP } from '../../../shared/plan/topology/objects.ts';
import {
  type ApplyObject,
  type ReferToObjects,
  TOPOLOGY_MANAGER,
  type TopologyOperation,
} from '../../../shared/plan/topology/operations/model.ts';
import { recorder } from './reasons.ts';
import { requireOf } from './require-of.ts';

export interface TopologyDependencies {
  objects: ObjectClient;
  clock: Clock;
  /** The definitions of external providers' kinds; none if absent. */
  contractKinds?: ContractKinds;
}

/** The current Cluster with the fields of the operation; labels and annotations of other writers stay. */
const referred =
  ({ cluster: wanted }: ReferToObjects) =>
  (found: Cluster): Cluster => {
    const current = withHookMemory(found, hookMemoryOf(wanted));
    const { [UPGRADE_STEP]: _, ...annotations } = current.metadata.annotations ?? {};
    const step = wanted.metadata.annotations?.[UPGRADE_STEP];
    const all = { ...annotations, ...(step === undefined ? {} : { [UPGRADE_STEP]: step }) };
    const { annotations: __, ...metadata } = current.metadata;
    const { infrastructureRef, controlPlaneRef } = wanted.spec;
    return {
      ...current,
      metadata: {
        ...metadata,
        labels: { ...metadata.labels, [LABEL.clusterName]: metadata.name, [TOPOLOGY_LABEL.owned]: '' },
        ...(Object.keys(all).length > 0 ? { annotations: all } : {}),
      },
      spec: {
        ...current.spec,
        ...(infrastructureRef ? { infrastructureRef } : {}),
        ...(controlPlaneRef ? { controlPlaneRef } : {}),
      },
    };
  };

/** Upstream's text; it does not name a new object, because the reader does not know that name. */
const failureOf = ({ intent, event }: ApplyObject, { message, details }: StatusError): string => {
  const { apiVersion, kind, metadata } = intent;
  const causes = (details?.causes ?? []).map(({ reason, field, message: why }) => `${reason}: ${field}: ${why}`);
  if (event.reason === 'TopologyUpdate')
    return `failed to patch ${kind} ${metadata.namespace}/${metadata.name}: ${message}`;
  return `failed to create ${kind}.${apiVersion.split('/')[0]}: ${causes.length > 0 ? causes.join(' ') : message}`;
};

const applyIntent = async (objects: ObjectClient, cluster: Cluster, operation: ApplyObject): Promise<AnyObject> => {
  try {
    const mayChange = (existing: KubeObject) => requireOf(cluster, existing, 'reconciling the Cluster topology');
    return (await objects.apply(operation.resource, operation.intent, TOPOLOGY_MANAGER, { mayChange })).object;
  } catch (error) {
    if (!(error instanceof StatusError) || error.code >= 500) throw error;
    throw new TopologyError(`error reconciling the Cluster topology: ${failureOf(operation, error)}`);
  }
};

/** Carries out an operation. Returns the object concerned. */
const carryOut = async (
  { objects }: TopologyDependencies,
  cluster: Cluster,
  operation: TopologyOperation,
): Promise<AnyObject> => {
  switch (operation.do) {
    case 'apply':
      return applyIntent(objects, cluster, operation);
    case 'delete':
      await objects.delete(operation.resource, operation.object);
      return operation.object;
    case 'refer': {
      const { from } = operation;
      const written = await objects.mutate(kinds.cluster, keyOf(from), referred(operation), { from });
      return (written ?? from) as AnyObject;
    }
  }
};

/** Carries out the stages of a plan, one after the other, and records what was done. Throws the first failure. */
export const applyTopology = async (
  deps: TopologyDependencies,
  cluster: Cluster,
  stages: readonly (readonly TopologyOperation[])[],
): Promise<void> => {
  const { normal } = recorder(deps);
  for (const stage of stages) {
    await Promise.all(
      stage.map(async (operation) => {
        const object = await carryOut(deps, cluster, operation);
        const { event } = operation;
        if (event) await normal(event.on === 'object' ? object : cluster, event.reason, event.message);
      }),
    );
  }
};
