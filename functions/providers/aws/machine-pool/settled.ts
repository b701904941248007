/** Checks a pool with nothing to do with a single call, until its desired state changes. */
import { createHash } from 'node:crypto';
import { type AWSMachinePool, kinds } from '../../../../shared/kinds/index.ts';
import { areReplicasManaged } from '../../../../shared/plan/pools/digest.ts';
import { desiredGroup } from '../../../../shared/providers/aws/machine-pool/desired-group.ts';
import { anyMachine, poolTags } from '../../../../shared/providers/aws/machine-pool/desired-template.ts';
import { readGroupMemory, withGroupMemory } from '../../../../shared/providers/aws/machine-pool/memory.ts';
import type { ObservedGroup } from '../../../../shared/providers/aws/machine-pool/model.ts';
import { groupNameOf } from '../../../../shared/providers/aws/machine-pool/name.ts';
import { isPools, type ObservedPool, planPool } from '../../../../shared/providers/aws/machine-pool/plan.ts';
import { recordedRefresh, recordedTemplate } from '../../../../shared/providers/aws/machine-pool/record.ts';
import type { ClusterName } from '../../../../shared/providers/aws/tags.ts';
import { readBootstrapData } from '../instance/bootstrap-data.ts';
import type { PoolObjects } from './decide.ts';
import type { PoolDependencies } from './dependencies.ts';

/**
 * A newer image, and changes to the template or to hooks outside Windlass, are noticed after this time at the latest.
 */
const FRESH_MILLISECONDS = 10 * 60 * 1000;

/** A digest of everything that determines a pool's template and group, without a call to AWS. */
export const settledInputs = async (deps: PoolDependencies, objects: PoolObjects): Promise<string> => {
  const { pool, awsPool, awsCluster } = objects;
  const { providerIDList: _, replicas, ...wishes } = pool.spec;
  const { providerID: __, providerIDList: ___, ...spec } = awsPool.spec ?? { awsLaunchTemplate: {} };
  const data = await readBootstrapData(deps, anyMachine(pool, awsPool));
  const isManaged = areReplicasManaged(pool);
  const parts = [
    wishes,
    isManaged ? null : replicas,
    isManaged,
    spec,
    awsCluster.spec,
    awsCluster.status?.networkStatus,
  ];
  return createHash('sha256')
    .update(JSON.stringify([parts, data]))
    .digest('hex')
    .slice(0, 32);
};

/** The group that was just described, with everything else assumed to be as desired. */
const withGroup = (awsPool: AWSMachinePool, group: ObservedGroup): ObservedPool => {
  const latest = recordedTemplate(awsPool);
  return {
    name: group.name,
    template: latest && { id: latest.id, name: group.name, latestVersion: latest.version, tags: {} },
    ...{ latest, group },
    theirs: undefined,
    hooks: [],
    warm: [],
    refresh: undefined,
    recordedRefresh: recordedRefresh(awsPool),
    tagKeys: readGroupMemory(awsPool).tagKeys ?? [],
  };
};

/**
 * A check with one call: the observed state, if the desired state has not changed since there was nothing to do, and
 * the group is still the same. Undefined if everything must be checked.
 */
export const lookBriefly = async (
  deps: PoolDependencies,
  cluster: ClusterName,
  objects: PoolObjects,
  inputs: string,
): Promise<ObservedPool | undefined> => {
  const { pool, awsPool, awsCluster } = objects;
  const { settled } = readGroupMemory(awsPool);
  const template = recordedTemplate(awsPool);
  const isFresh = settled?.inputs === inputs && deps.clock.now().getTime() - settled.at < FRESH_MILLISECONDS;
  if (!isFresh || !template) return undefined;
  const [group] = await deps.groups.describe([groupNameOf(awsPool)]);
  // One call does not show which instances wait in a warm pool, and with which version.
  if (!group || group.warm || !isPools(cluster, awsPool, group.tags)) return undefined;
  const observed = withGroup(awsPool, group);
  const tags = poolTags(cluster, awsPool, awsCluster);
  // The input for the subnets has not changed; the hooks are not checked.
  const wanted = { ...desiredGroup(pool, awsPool, { subnetIds: group.subnetIds, tags }), hooks: [] };
  const known = { name: group.name, data: {}, userData: '', tags, shape: template.shape, digest: template.digest };
  return planPool({ pool: awsPool, template: known, group: wanted, observed }).length === 0 ? observed : undefined;
};

/** Records that there was nothing to do; a recent record stays valid and is not written again. */
export const rememberSettled = async (
  { objects, clock }: PoolDependencies,
  { awsPool }: PoolObjects,
  inputs: string,
): Promise<void> => {
  const at = clock.now().getTime();
  const key = { namespace: awsPool.metadata.namespace ?? '', name: awsPool.metadata.name };
  await objects.mutate(kinds.awsMachinePool, key, (current) => {
    const { settled } = readGroupMemory(current);
    const isNoted = settled?.inputs === inputs && at - settled.at < FRESH_MILLISECONDS;
    return isNoted ? undefined : withGroupMemory(current, { settled: { inputs, at } });
  });
};
