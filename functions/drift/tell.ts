import { describeAwsError } from '../../shared/aws/errors.ts';
import { recordEvent } from '../../shared/events/record.ts';
import type { KubeObject } from '../../shared/kube-api/object.ts';
import { COMPONENT, type DriftDependencies } from './dependencies.ts';

/**
 * Makes a call and tells on `regarding` what was done, as the call returns it. A refusal is told as well, and the next
 * sweep tries again: nothing here is thrown for what AWS answers.
 */
export const tell = async (
  { objects, clock }: Pick<DriftDependencies, 'objects' | 'clock'>,
  regarding: KubeObject,
  reason: string,
  call: () => Promise<string>,
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
