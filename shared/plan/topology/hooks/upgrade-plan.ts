import * as z from 'zod';
import type { ClusterClass } from '../../../kinds/cluster-class/schema.ts';
import { TopologyError } from '../error.ts';
import type { UpgradePlan } from '../upgrade/plan.ts';
import type { HookSession } from './session.ts';

const steps = z.array(z.object({ version: z.string() })).nullish();

const response = z.object({ controlPlaneUpgrades: steps, workersUpgrades: steps });

const FAILED = 'failed to get upgrade plan from extension';

/**
 * Calls the extension that a class names for its upgrade plans (GetUpgradePlanFromExtension); undefined if the class
 * names none. Throws TopologyError if the extension fails, and AnswerNeeded.
 */
export const upgradePlanner = ({ spec }: ClusterClass, session: HookSession, desired: string) => {
  const handler = spec.upgrade?.external?.generateUpgradePlanExtension;
  if (!handler) return undefined;
  return (from: string, workers: string): Pick<UpgradePlan, 'controlPlane' | 'workers'> => {
    const answer = session.handler('GenerateUpgradePlan', handler, 'GenerateUpgradePlan', {
      cluster: session.sentCluster,
      fromControlPlaneKubernetesVersion: from,
      ...(workers === '' ? {} : { fromWorkersKubernetesVersion: workers }),
      toKubernetesVersion: desired,
    });
    if ('error' in answer) throw new TopologyError(`${FAILED}: ${answer.error}`);
    const read = response.safeParse(answer.response ?? {});
    if (!read.success) throw new TopologyError(`${FAILED}: failed to decode response`);
    const { controlPlaneUpgrades, workersUpgrades } = read.data;
    return {
      controlPlane: (controlPlaneUpgrades ?? []).map(({ version }) => version),
      workers: (workersUpgrades ?? []).map(({ version }) => version),
    };
  };
};
