import type { BootstrapObjects } from '../../shared/aws/bootstrap-objects.ts';
import { isDenied } from '../../shared/aws/errors.ts';
import { recordedObject } from '../../shared/bootstrap/delivery/object.ts';
import type { MachineSnapshot } from './read-machine.ts';

/** Deletes the object that a machine got its bootstrap data by, where there was one. */
export const deleteBootstrapObject = async (
  { bootstrapObjects }: { bootstrapObjects: BootstrapObjects },
  { infrastructure, awsCluster }: MachineSnapshot,
): Promise<void> => {
  const place = infrastructure && recordedObject(infrastructure);
  if (!place) return;
  try {
    await bootstrapObjects.delete(place);
  } catch (error) {
    // The user has said that it may stay where we may not delete it.
    if (!(awsCluster?.spec.s3Bucket?.bestEffortDeleteObjects && isDenied(error))) throw error;
  }
};
