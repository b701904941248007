import type { EndWork } from '../../../../shared/store/work/work.ts';
import type { ConvergeInput, FinishResult } from '../../../../shared/work/payloads.ts';
import type { ObjectsDependencies } from '../dependencies.ts';

/**
 * Touches that came while the pass held the lease have started nothing, so the pass touches the cluster again. It needs
 * a new number, because an execution for one of those touches may have started and ended while the pass was running.
 */
export const nextPass = async (
  { touch }: Pick<ObjectsDependencies, 'touch'>,
  { cluster, wanted: own, seen = own }: ConvergeInput,
  { held, wanted }: EndWork,
  waitSeconds: number,
): Promise<FinishResult> => {
  if (!held || wanted <= seen) return { again: false, waitSeconds, wanted };
  await touch(cluster);
  return { again: true, waitSeconds: 0, wanted };
};
