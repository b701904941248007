import { type AWSCluster, type AWSMachine, kinds, type Machine } from '../../../../shared/kinds/index.ts';
import { keyOf } from '../../../../shared/kube-api/object.ts';
import { ignitionStub, ignitionUserData } from '../../../../shared/providers/aws/plan/delivery/ignition.ts';
import { withLateObject } from '../../../../shared/providers/aws/plan/delivery/late-object.ts';
import {
  type BootstrapObject,
  bootstrapObject,
  recordedObject,
  withObject,
} from '../../../../shared/providers/aws/plan/delivery/object.ts';
import type { Delivery } from '../../../../shared/providers/aws/plan/delivery/plan.ts';
import { readRecordedLaunch, unansweredSince } from '../../../../shared/providers/aws/plan/launch/recorded.ts';
import { isControlPlaneMachine } from '../../../machine/read-machine.ts';
import type { InstanceDependencies } from './dependencies.ts';
import { recorder } from './reasons.ts';

export interface IgnitionDelivery extends Delivery {
  /** The object to which the user data refers; it must be stored before the instance is launched. */
  object?: BootstrapObject & { body: Uint8Array };
}

const s3Url = ({ bucket, key }: BootstrapObject): string => `s3://${bucket}/${key}`;

/** The way in which Ignition bootstrap data reaches the machine. Throws BootstrapInvalidError if there is none. */
export const planIgnition = (
  body: Uint8Array,
  machine: Machine,
  infrastructure: AWSMachine,
  awsCluster: AWSCluster,
): IgnitionDelivery => {
  const { spec } = infrastructure;
  if (spec.ignition?.storageType === 'UnencryptedUserData') {
    return { userData: ignitionUserData(body, spec), secrets: [] };
  }
  const role = isControlPlaneMachine(machine) ? 'controlPlane' : 'node';
  const object = bootstrapObject(awsCluster, infrastructure, role);
  return { userData: ignitionStub(s3Url(object), spec), secrets: [], object: { ...object, body } };
};

/** Whether an earlier run may have ended before its request to store the object was answered. */
const mayBeStoring = (infrastructure: AWSMachine): boolean =>
  recordedObject(infrastructure) !== undefined && unansweredSince(readRecordedLaunch(infrastructure)) !== undefined;

/**
 * Stores the object where the machine will fetch it, and returns the user data that refers to it. Its location is
 * recorded on the AWSMachine before it exists.
 */
export const deliverObject = async (
  deps: InstanceDependencies,
  { object, userData }: IgnitionDelivery,
  infrastructure: AWSMachine,
): Promise<string> => {
  if (!object) return userData;
  const { objects, bootstrapObjects, clock } = deps;
  const { spec } = infrastructure;
  const isRepeated = mayBeStoring(infrastructure);
  await objects.mutate(kinds.awsMachine, keyOf(infrastructure), (current) => {
    const placed = withObject(current, object);
    return isRepeated ? withLateObject(placed, clock.now().toISOString()) : placed;
  });
  await bootstrapObjects.put(object);
  const message = `Stored the bootstrap data as s3://${object.bucket}/${object.key}`;
  await recorder(deps).normal(infrastructure, 'SuccessfulPutBootstrapObject', message);
  if (object.seconds === undefined) return userData;
  return ignitionStub(await bootstrapObjects.presign({ ...object, seconds: object.seconds }), spec);
};
