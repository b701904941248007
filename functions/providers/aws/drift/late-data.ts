/**
 * Deletes bootstrap data that a request without an answer has stored after it was no longer needed, and those whose
 * deletion has failed.
 */
import { describeAwsError, isDenied } from '../../../../shared/aws/errors.ts';
import { makeRecorder } from '../../../../shared/events/recorder.ts';
import { type AWSMachine, type Cluster, kinds } from '../../../../shared/kinds/index.ts';
import { keyOf } from '../../../../shared/kube-api/object.ts';
import { isPaused } from '../../../../shared/plan/status/cluster-claims.ts';
import { isObjectPaused } from '../../../../shared/plan/status/paused.ts';
import {
  type LateObject,
  leftObject,
  removableLateObject,
  withoutLateObject,
} from '../../../../shared/providers/aws/plan/delivery/late-object.ts';
import {
  type LateSecrets,
  leftSecrets,
  removableLateSecrets,
  type SecretPlace,
  withoutLateSecrets,
  withoutLeftSecrets,
} from '../../../../shared/providers/aws/plan/delivery/late-secrets.ts';
import {
  type ObjectPlace,
  recordedObject,
  withoutObject,
} from '../../../../shared/providers/aws/plan/delivery/object.ts';
import { secretNames } from '../../../../shared/providers/aws/plan/delivery/plan.ts';
import type { PlacedMachine } from '../../../../shared/providers/aws/plan/drift/difference.ts';
import { identityOf } from '../../../../shared/providers/aws/plan/ownership/instance.ts';
import type { Bulkheads } from '../../../bulkheads.ts';
import { COMPONENT } from '../../../drift/dependencies.ts';
import type { AwsFleet } from './accounts.ts';
import type { AwsSweepDependencies } from './dependencies.ts';
import type { AWS_SWEEP_REASONS } from './reasons.ts';

type Dependencies = Pick<AwsSweepDependencies, 'objects' | 'bootstrapSecrets' | 'bootstrapObjects' | 'clock' | 'log'>;
type Scope = AwsFleet['scope'];

interface WithLateData extends PlacedMachine {
  secrets: LateSecrets | undefined;
  kept: SecretPlace | undefined;
  object: LateObject | undefined;
  left: ObjectPlace | undefined;
}

const removableIn = ({ machines }: Pick<AwsFleet, 'machines'>, now: Date): WithLateData[] =>
  machines.flatMap((known) => {
    if (isPaused(known.cluster) || isObjectPaused(known.infrastructure)) return [];
    const secrets = removableLateSecrets(known.infrastructure, now);
    const object = removableLateObject(known.infrastructure, now);
    const kept = leftSecrets(known.infrastructure, known.machine);
    const left = leftObject(known.infrastructure, known.machine);
    return secrets || kept || object || left ? [{ ...known, secrets, kept, object, left }] : [];
  });

const recorderOf = (deps: Dependencies) => makeRecorder<typeof AWS_SWEEP_REASONS>(deps, COMPONENT);

/** The record is changed last: after a crash before that, the data are deleted again. */
const forget = async (
  { objects }: Dependencies,
  infrastructure: AWSMachine,
  change: (current: AWSMachine) => AWSMachine | undefined,
): Promise<void> => {
  const { uid } = infrastructure.metadata;
  await objects.mutate(kinds.awsMachine, keyOf(infrastructure), (current) =>
    current.metadata.uid === uid ? change(current) : undefined,
  );
};

const removeSecrets = async (
  deps: Dependencies,
  scope: Scope,
  { machine, infrastructure }: PlacedMachine,
  { place, how, change }: { place: SecretPlace; how: string; change: (current: AWSMachine) => AWSMachine | undefined },
): Promise<void> => {
  const names = secretNames(place.secretPrefix, place.secretCount);
  const owner = identityOf(machine);
  const results = await Promise.all(names.map((name) => deps.bootstrapSecrets(scope).delete(name, owner)));
  if (!results.includes('foreign')) {
    const message = `Deleted ${names.join(', ')}, ${how}`;
    await recorderOf(deps).normal(infrastructure, 'SuccessfulDeleteBootstrapSecret', message);
  }
  await forget(deps, infrastructure, change);
};

const removeObject = async (
  deps: Dependencies,
  scope: Scope,
  { infrastructure }: PlacedMachine,
  late: LateObject,
): Promise<void> => {
  await deps.bootstrapObjects(scope).delete(late);
  const message = `Deleted s3://${late.bucket}/${late.key}, which a late request may have stored again`;
  await recorderOf(deps).normal(infrastructure, 'SuccessfulDeleteBootstrapObject', message);
  await forget(deps, infrastructure, (current) => withoutLateObject(current, late));
};

const removeLeft = async (
  deps: Dependencies,
  scope: Scope,
  { infrastructure }: PlacedMachine,
  place: ObjectPlace,
): Promise<void> => {
  await deps.bootstrapObjects(scope).delete(place);
  const message = `Deleted the bootstrap data s3://${place.bucket}/${place.key}`;
  await recorderOf(deps).normal(infrastructure, 'SuccessfulDeleteBootstrapObject', message);
  await forget(deps, infrastructure, (current) =>
    recordedObject(current)?.key === place.key ? withoutObject(current) : undefined,
  );
};

const removeAll = async (
  deps: Dependencies,
  scope: Scope,
  { secrets, kept, object, left, ...known }: WithLateData,
): Promise<void> => {
  if (secrets) {
    const change = (current: AWSMachine) => withoutLateSecrets(current, secrets);
    const how = 'which a late request may have created again';
    await removeSecrets(deps, scope, known, { place: secrets, how, change });
  }
  if (kept) {
    const change = (current: AWSMachine) => withoutLeftSecrets(current, kept);
    const how = 'which could not be deleted before';
    await removeSecrets(deps, scope, known, { place: kept, how, change });
  }
  if (object) await removeObject(deps, scope, known, object);
  if (left) await removeLeft(deps, scope, known, left);
};

/**
 * Deletes the late bootstrap data of an account's machines in a region. Makes no call if there are none. It requests no
 * pass, because nothing else depends on them. A missing permission is only logged.
 */
export const deleteLateData = async (
  deps: Dependencies,
  fleet: Pick<AwsFleet, 'scope' | 'machines'>,
  _turn: ReadonlySet<string>,
  run: Bulkheads,
): Promise<Cluster[]> => {
  await run.each('delete its late bootstrap data', removableIn(fleet, deps.clock.now()), async (one) => {
    try {
      await removeAll(deps, fleet.scope, one);
    } catch (error) {
      if (!isDenied(error)) throw error;
      const { namespace, name } = one.machine.metadata;
      deps.log.warn('late bootstrap data could not be deleted', { namespace, name, reason: describeAwsError(error) });
    }
  });
  return [];
};
