import { isDenied } from '../../../shared/aws/errors.ts';
import { secretNames } from '../../../shared/bootstrap/delivery/plan.ts';
import type { Clock } from '../../../shared/clock.ts';
import { recordEvent } from '../../../shared/events/record.ts';
import { type AWSMachine, kinds } from '../../../shared/kinds/index.ts';
import type { ObjectClient } from '../../../shared/kube-api/client.ts';
import {
  isObjectOf,
  recordedObject,
  withoutObject,
} from '../../../shared/providers/aws/plan/bucket/bootstrap-object.ts';
import { identityOf } from '../../../shared/providers/aws/plan/ownership/instance.ts';
import type { MachineSnapshot } from '../../machine/read-machine.ts';
import type { BootstrapStores } from './bootstrap-stores.ts';

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
  { machine }: MachineSnapshot,
): Promise<void> => {
  const { secretPrefix, secretCount = 0 } = infrastructure.spec.cloudInit ?? {};
  const names = secretPrefix ? secretNames(secretPrefix, secretCount) : [];
  if (names.length === 0) return;
  const owner = identityOf(machine);
  const results = await Promise.all(names.map((name) => deps.bootstrapSecrets.delete(name, owner)));
  if (results.includes('foreign')) {
    const message = `spec.cloudInit.secretPrefix: ${names.join(', ')} stay, because their tags do not name this machine`;
    await note(deps, infrastructure, {
      type: 'Warning',
      reason: 'BootstrapSecretNotOwned',
      message,
      change: withoutSecrets,
    });
    return;
  }
  const message = `Deleted what was left of the bootstrap data ${names.join(', ')}`;
  await note(deps, infrastructure, { reason: 'SuccessfulDeleteBootstrapSecret', message, change: withoutSecrets });
};

const deleteObject = async (
  deps: RemainsDependencies,
  infrastructure: AWSMachine,
  { awsCluster }: MachineSnapshot,
): Promise<void> => {
  const place = recordedObject(infrastructure);
  if (!place) return;
  if (!isObjectOf(infrastructure, place)) {
    const message = `s3://${place.bucket}/${place.key} stays, because its name is not that of the bootstrap data of this machine`;
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
export const deleteBootstrapRemains = async (deps: RemainsDependencies, snapshot: MachineSnapshot): Promise<void> => {
  const { infrastructure } = snapshot;
  if (!infrastructure) return;
  await deleteSecrets(deps, infrastructure, snapshot);
  await deleteObject(deps, infrastructure, snapshot);
};
