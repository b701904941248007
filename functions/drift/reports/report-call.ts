import { describeAwsError } from '../../../shared/aws/errors.ts';
import { recordEvent } from '../../../shared/events/record.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import type { ReportedCall } from '../../providers/sweep-port.ts';
import { COMPONENT, type DriftDependencies } from '../dependencies.ts';

/**
 * Makes a call and records its result on `regarding`: the text that it returns, or the reason for its failure. Errors
 * of the cloud are not thrown, because the next sweep tries again.
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
