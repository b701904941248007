import { isDenied } from '../../../shared/aws/errors.ts';
import type { Clock } from '../../../shared/clock.ts';
import { makeRecorder, type RecorderOf } from '../../../shared/events/recorder.ts';
import { type AWSMachine, kinds } from '../../../shared/kinds/index.ts';
import { keyOf } from '../../../shared/kube-api/object.ts';
import type { ObjectClient } from '../../../shared/kube-api/storage/client.ts';
import { readLateObject, withLateObject } from '../../../shared/providers/aws/plan/delivery/late-object.ts';
import { isOver, readLateSecrets, withLateSecrets } from '../../../shared/providers/aws/plan/delivery/late-secrets.ts';
import {
  isObjectOf,
  type ObjectPlace,
  recordedObject,
  withoutObject,
} from '../../../shared/providers/aws/plan/delivery/object.ts';
import { secretNames } from '../../../shared/providers/aws/plan/delivery/plan.ts';
import { readRecordedLaunch, unansweredSince } from '../../../shared/providers/aws/plan/launch/recorded.ts';
import { identityOf } from '../../../shared/providers/aws/plan/ownership/instance.ts';
import type { PerScope } from '../../../shared/providers/aws/scope.ts';
import type { BootstrapDeliveryPort } from '../ports.ts';
import type { ScopeOf } from './aws-scope.ts';
import type { BootstrapStores } from './bootstrap-stores.ts';
import { type AwsMachineSnapshot, awsSnapshot } from './read-machine.ts';
import type { BOOTSTRAP_REMAINS_REASONS } from './reasons.ts';

interface RemainsDependencies extends BootstrapStores {
  objects: ObjectClient;
  clock: Clock;
  /** The component that records the events. */
  component: string;
}

const recorderOf = (deps: RemainsDependencies): RecorderOf<typeof BOOTSTRAP_REMAINS_REASONS> =>
  makeRecorder(deps, deps.component);

/** Records that the data no longer has to be deleted. */
const forget = async (
  { objects }: RemainsDependencies,
  infrastructure: AWSMachine,
  change: (current: AWSMachine) => AWSMachine,
): Promise<void> => {
  await objects.mutate(kinds.awsMachine, keyOf(infrastructure), change, { from: infrastructure });
};

/** When the run that stored the data may have ended before it had an answer. */
const maybeStoredSince = (infrastructure: AWSMachine): string | undefined =>
  infrastructure.spec.instanceID ? undefined : unansweredSince(readRecordedLaunch(infrastructure));

/** The names stay in the record if the data may still be stored. */
const withoutSecrets = (infrastructure: AWSMachine): AWSMachine => {
  const since = maybeStoredSince(infrastructure);
  const { spec, ...rest } = since ? withLateSecrets(infrastructure, since) : infrastructure;
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
    await recorderOf(deps).warning(infrastructure, 'BootstrapSecretNotOwned', message);
  } else {
    const message = `Deleted the remaining bootstrap data ${names.join(', ')}`;
    await recorderOf(deps).normal(infrastructure, 'SuccessfulDeleteBootstrapSecret', message);
  }
  await forget(deps, infrastructure, withoutSecrets);
};

/** The location stays in the record if the data may still be stored. */
const withoutStoredObject = (infrastructure: AWSMachine): AWSMachine => {
  const since = maybeStoredSince(infrastructure);
  return withoutObject(since ? withLateObject(infrastructure, since) : infrastructure);
};

/**
 * Deletes an object with bootstrap data. False if Windlass may not delete it, and the user has decided that it stays
 * then.
 */
const deleteAt = async (
  { bootstrapObjects }: Pick<RemainsDependencies, 'bootstrapObjects'>,
  place: ObjectPlace,
  { awsCluster }: AwsMachineSnapshot,
): Promise<boolean> => {
  try {
    await bootstrapObjects.delete(place);
    return true;
  } catch (error) {
    if (awsCluster?.spec.s3Bucket?.bestEffortDeleteObjects && isDenied(error)) return false;
    throw error;
  }
};

/**
 * Deletes the bootstrap data that a request without an answer has stored after they were deleted. Returns the reason to
 * wait while such a request may still be carried out.
 */
export const deleteLateData = async (
  deps: Pick<RemainsDependencies, 'bootstrapSecrets' | 'bootstrapObjects' | 'clock'>,
  snapshot: AwsMachineSnapshot,
): Promise<string | undefined> => {
  const { machine, awsMachine } = snapshot;
  const secrets = awsMachine && readLateSecrets(awsMachine);
  const object = awsMachine && readLateObject(awsMachine);
  const owner = identityOf(machine);
  const names = secrets ? secretNames(secrets.secretPrefix, secrets.secretCount) : [];
  await Promise.all(names.map((name) => deps.bootstrapSecrets.delete(name, owner)));
  if (object) await deleteAt(deps, object, snapshot);
  const now = deps.clock.now();
  const isAllOver = (!secrets || isOver(secrets, now)) && (!object || isOver(object, now));
  return isAllOver ? undefined : 'a request to store its bootstrap data may still be carried out';
};

const deleteObject = async (
  deps: RemainsDependencies,
  infrastructure: AWSMachine,
  snapshot: AwsMachineSnapshot,
): Promise<void> => {
  const place = recordedObject(infrastructure);
  if (!place) return;
  if (!isObjectOf(infrastructure, place)) {
    const message = `s3://${place.bucket}/${place.key} is kept, because its name is not that of this machine's bootstrap data`;
    await recorderOf(deps).warning(infrastructure, 'BootstrapObjectNotOwned', message);
    await forget(deps, infrastructure, withoutObject);
    return;
  }
  if (!(await deleteAt(deps, place, snapshot))) return;
  const message = `Deleted the bootstrap data s3://${place.bucket}/${place.key}`;
  await recorderOf(deps).normal(infrastructure, 'SuccessfulDeleteBootstrapObject', message);
  await forget(deps, infrastructure, withoutStoredObject);
};

/** Deletes the secrets or the object with a machine's bootstrap data, if any are left. */
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

/** The same deletion, for the function that ends a machine's workflow. */
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
