import { renewalTime } from '../../../shared/bootstrap/certificates/kubeconfig.ts';
import { secretName } from '../../../shared/bootstrap/certificates/secrets.ts';
import { kinds } from '../../../shared/kinds/index.ts';
import { certificatesDueAt } from '../../../shared/plan/control-plane/up-to-date.ts';
import { type ClusterSnapshot, controlPlaneMachines } from '../snapshot.ts';
import type { ObjectsDependencies } from './dependencies.ts';
import { ownKubeconfig } from './kubeconfig.ts';

/**
 * When a settled cluster needs a pass although nothing changes: its kubeconfig is at half of its life, or certificates
 * of its machines are due. Until then it costs nothing but an entry in the index of what is due. What is due already is
 * left out: the pass that asks has seen it.
 */
export const nextDue = async (
  { objects, clock }: Pick<ObjectsDependencies, 'objects' | 'clock'>,
  snapshot: ClusterSnapshot,
): Promise<Date | undefined> => {
  const { cluster, controlPlane, distribution } = snapshot;
  if (!controlPlane || !distribution) return undefined;
  const { namespace = '', name } = cluster.metadata;
  const dates = distribution.rolloutDates(controlPlane);
  const secret = await objects.get(kinds.secret, { namespace, name: secretName(name, 'kubeconfig') });
  const kubeconfig = ownKubeconfig(secret, distribution);
  const times = [
    ...(kubeconfig ? [renewalTime(kubeconfig.text, kubeconfig.field)] : []),
    ...controlPlaneMachines(snapshot).flatMap((machine) => certificatesDueAt(dates, machine) ?? []),
    ...(dates.after ? [new Date(dates.after)] : []),
  ].filter((time) => time.getTime() > clock.now().getTime());
  return times.sort((a, b) => a.getTime() - b.getTime())[0];
};
