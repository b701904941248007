import { describeAwsError } from '../../../shared/aws/errors.ts';
import { recordEvent } from '../../../shared/events/record.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import type { ReportedCall } from '../../providers/sweep-port.ts';
import { COMPONENT, type DriftDependencies } from '../dependencies.ts';

/**
 * Makes a call and records on `regarding` what was done, as the call returns it, or why it failed. The next sweep tries
 * again, so that nothing is thrown for what the cloud answers.
 */
export const reportCall = async (
  { objects, clock }: Pick<DriftDependencies, 'objects' | 'clock'>,
  regarding: KubeObject,
  { reason, call }: ReportedCall,
): Promise<void> => {
  const source = { regarding, component: COMPONENT };
  try {
    const message = await call();
    await recordEvent(objects, { ...source, type: 'Normal', reason: `Successful${reason}`, message }, clock);
  } catch (error) {
    const message = describeAwsError(error);
    await recordEvent(objects, { ...source, type: 'Warning', reason: `Failed${reason}`, message }, clock);
  }
};
