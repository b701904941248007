import { renewalTime } from '../../../shared/bootstrap/certificates/kubeconfig.ts';
import { secretName } from '../../../shared/bootstrap/certificates/secrets.ts';
import { kinds } from '../../../shared/kinds/index.ts';
import { certificatesDueAt } from '../../../shared/plan/control-plane/up-to-date.ts';
import { type ClusterSnapshot, controlPlaneMachines } from '../snapshot.ts';
import type { ObjectsDependencies } from './dependencies.ts';
import { ownKubeconfig } from './kubeconfig.ts';

/**
 * When a settled cluster needs a pass although nothing changes: its kubeconfig is at half of its life,
 * certificates of its machines are due, or a rollout is to begin. Until then it costs nothing but an entry in the index of what is due. What is due already is
 * left out: the pass that asks has seen it.
 */
export const nextDue = async (
  { objects, clock }: Pick<ObjectsDependencies, 'objects' | 'clock'>,
  snapshot: ClusterSnapshot,
): Promise<Date | undefined> => {
  const rollouts = snapshot.deployments.flatMap(({ spec }) =>
    spec.rollout?.after ? [new Date(spec.rollout.after)] : [],
  );
  const times = [...rollouts, ...(await controlPlaneTimes(objects, snapshot))];
  const coming = times.filter((time) => time.getTime() > clock.now().getTime());
  return coming.sort((a, b) => a.getTime() - b.getTime())[0];
};

const controlPlaneTimes = async (
  objects: ObjectsDependencies['objects'],
  snapshot: ClusterSnapshot,
): Promise<Date[]> => {
  const { cluster, controlPlane, distribution } = snapshot;
  if (!controlPlane || !distribution) return [];
  const { namespace = '', name } = cluster.metadata;
  const dates = distribution.rolloutDates(controlPlane);
  const secret = await objects.get(kinds.secret, { namespace, name: secretName(name, 'kubeconfig') });
  const kubeconfig = ownKubeconfig(secret, distribution);
  return [
    ...(kubeconfig ? [renewalTime(kubeconfig.text, kubeconfig.field)] : []),
    ...controlPlaneMachines(snapshot).flatMap((machine) => certificatesDueAt(dates, machine) ?? []),
    ...(dates.after ? [new Date(dates.after)] : []),
  ];
};
