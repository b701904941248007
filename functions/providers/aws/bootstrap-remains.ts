import { isDenied } from '../../../shared/aws/errors.ts';
import type { Clock } from '../../../shared/clock.ts';
import { recordEvent } from '../../../shared/events/record.ts';
import { type AWSMachine, kinds } from '../../../shared/kinds/index.ts';
import type { ObjectClient } from '../../../shared/kube-api/client.ts';
import { isObjectOf, recordedObject, withoutObject } from '../../../shared/providers/aws/plan/delivery/object.ts';
import { secretNames } from '../../../shared/providers/aws/plan/delivery/plan.ts';
import { identityOf } from '../../../shared/providers/aws/plan/ownership/instance.ts';
import type { PerScope } from '../../../shared/providers/aws/scope.ts';
import type { BootstrapDeliveryPort } from '../ports.ts';
import type { ScopeOf } from './aws-scope.ts';
import type { BootstrapStores } from './bootstrap-stores.ts';
import { type AwsMachineSnapshot, awsSnapshot } from './read-machine.ts';

interface RemainsDependencies extends BootstrapStores {
  objects: ObjectClient;
  clock: Clock;
  /** Who says so in the event. */
  component: string;
}

/** Tells it on the AWSMachine, and notes that nobody has to delete it again. */
const note = async (
  { objects, clock, component }: RemainsDependencies,
  infrastructure: AWSMachine,
  done: {
    type?: 'Warning';
    reason: string;
    message: string;
    change: (current: AWSMachine) => AWSMachine;
  },
): Promise<void> => {
  const { namespace = '', name } = infrastructure.metadata;
  const { type = 'Normal', reason, message, change } = done;
  await recordEvent(objects, { regarding: infrastructure, type, reason, message, component }, clock);
  await objects.mutate(kinds.awsMachine, { namespace, name }, change);
};

const withoutSecrets = ({ spec, ...rest }: AWSMachine): AWSMachine => {
  const { secretPrefix: _prefix, secretCount: _count, ...cloudInit } = spec.cloudInit ?? {};
  return { ...rest, spec: { ...spec, cloudInit } };
};

const deleteSecrets = async (
  deps: RemainsDependencies,
  infrastructure: AWSMachine,
  { machine }: AwsMachineSnapshot,
): Promise<void> => {
  const { secretPrefix, secretCount = 0 } = infrastructure.spec.cloudInit ?? {};
  const names = secretPrefix ? secretNames(secretPrefix, secretCount) : [];
  if (names.length === 0) return;
  const owner = identityOf(machine);
  const results = await Promise.all(names.map((name) => deps.bootstrapSecrets.delete(name, owner)));
  if (results.includes('foreign')) {
    const message = `spec.cloudInit.secretPrefix: ${names.join(', ')} are kept, because their tags do not name this machine`;
    await note(deps, infrastructure, {
      type: 'Warning',
      reason: 'BootstrapSecretNotOwned',
      message,
      change: withoutSecrets,
    });
    return;
  }
  const message = `Deleted the remaining bootstrap data ${names.join(', ')}`;
  await note(deps, infrastructure, { reason: 'SuccessfulDeleteBootstrapSecret', message, change: withoutSecrets });
};

const deleteObject = async (
  deps: RemainsDependencies,
  infrastructure: AWSMachine,
  { awsCluster }: AwsMachineSnapshot,
): Promise<void> => {
  const place = recordedObject(infrastructure);
  if (!place) return;
  if (!isObjectOf(infrastructure, place)) {
    const message = `s3://${place.bucket}/${place.key} is kept, because its name is not that of this machine's bootstrap data`;
    await note(deps, infrastructure, {
      type: 'Warning',
      reason: 'BootstrapObjectNotOwned',
      message,
      change: withoutObject,
    });
    return;
  }
  try {
    await deps.bootstrapObjects.delete(place);
  } catch (error) {
    // The user has said that it may stay where we may not delete it.
    if (awsCluster?.spec.s3Bucket?.bestEffortDeleteObjects && isDenied(error)) return;
    throw error;
  }
  const message = `Deleted the bootstrap data s3://${place.bucket}/${place.key}`;
  await note(deps, infrastructure, { reason: 'SuccessfulDeleteBootstrapObject', message, change: withoutObject });
};

/** Deletes the secrets or the object by which a machine got its bootstrap data, where there are any left. */
export const deleteBootstrapRemains = async (
  deps: RemainsDependencies,
  snapshot: AwsMachineSnapshot,
): Promise<void> => {
  const { awsMachine } = snapshot;
  if (!awsMachine) return;
  await deleteSecrets(deps, awsMachine, snapshot);
  await deleteObject(deps, awsMachine, snapshot);
};

interface DeliveryDependencies extends Pick<RemainsDependencies, 'objects' | 'clock'> {
  scopeOf: ScopeOf;
  stores: PerScope<BootstrapStores>;
}

/** The same for the function that ends a machine's workflow. */
export const makeBootstrapDelivery = ({
  objects,
  clock,
  scopeOf,
  stores,
}: DeliveryDependencies): BootstrapDeliveryPort => ({
  remove: async (snapshot, component) => {
    const own = awsSnapshot(snapshot);
    await deleteBootstrapRemains({ objects, clock, component, ...stores(await scopeOf(own.awsCluster)) }, own);
  },
});
