/**
 * The checks that the network's first step makes in AWS before it creates anything, but with the credentials of the
 * user.
 */

import type { Change, Reads } from '../../../functions/preview/reads.ts';
import { gatherFacts } from '../../../functions/providers/aws/network/gather-facts.ts';
import { readSources } from '../../../functions/providers/aws/network/preflight.ts';
import { describeAwsError } from '../../../shared/aws/errors.ts';
import { type AWSCluster, type Cluster, kinds } from '../../../shared/kinds/index.ts';
import type { AccountFacts } from '../../../shared/providers/aws/api/account-facts.ts';
import { findingsOf } from '../../../shared/providers/aws/plan/preflight/findings.ts';
import { isPast, openParts, skipProblem } from '../../../shared/providers/aws/plan/preflight/gate.ts';
import { wantsOf } from '../../../shared/providers/aws/plan/preflight/wants.ts';
import { awsName } from '../../../shared/providers/aws/references.ts';
import { CONTROLLER_IDENTITY } from '../../../shared/providers/aws/scope.ts';

/** What the account is missing for one cluster. */
export interface Preflight {
  /** `namespace/name`. */
  cluster: string;
  /** One sentence for each obstacle to the creation of the cluster. */
  missing: string[];
  /** What could not be checked, and the reason. */
  unseen: string[];
}

/** The facts of an account in a region, read with the credentials of the caller. */
export type FactsOf = (region: string | undefined) => AccountFacts;

/** The identity of the functions' own roles; the user cannot assume others. */
const CONTROLLER = 'AWSClusterControllerIdentity';

/** The clusters among the changes, with the objects to which a topology refers. */
const clustersOf = async (after: Reads, changes: readonly Change[]): Promise<Cluster[]> => {
  const changed = changes.filter(({ type, resource }) => type !== 'deleted' && resource.kind === kinds.cluster.kind);
  const found = await Promise.all(
    changed.map(({ object: { metadata } }) =>
      after.get<Cluster>(kinds.cluster, { namespace: metadata.namespace ?? '', name: metadata.name }),
    ),
  );
  return found.filter((cluster) => cluster !== undefined);
};

const lookAt = async (factsOf: FactsOf, reads: Reads, cluster: Cluster, now: Date): Promise<Preflight | undefined> => {
  const { namespace = '', name } = cluster.metadata;
  const awsClusterName = awsName('cluster', cluster.spec.infrastructureRef);
  const awsCluster: AWSCluster | undefined =
    awsClusterName === undefined ? undefined : await reads.get(kinds.awsCluster, { namespace, name: awsClusterName });
  if (awsCluster === undefined || isPast(cluster, awsCluster)) return undefined;
  const found = { cluster: `${namespace}/${name}`, missing: [], unseen: [] };
  const { region, identityRef } = awsCluster.spec;
  if (identityRef !== undefined && identityRef.kind !== CONTROLLER)
    return {
      ...found,
      unseen: [`the account of ${identityRef.kind} ${identityRef.name}, which only Windlass can access`],
    };
  const scope = { name: { namespace, name }, cluster };
  const [sources, machines] = await Promise.all([
    readSources({ objects: reads }, scope),
    reads.listOfCluster(kinds.machine, namespace, name),
  ]);
  const wants = wantsOf(scope.name, awsCluster, sources, openParts(awsCluster, machines));
  const facts = await gatherFacts(factsOf(region), wants, { region, identity: CONTROLLER_IDENTITY }, now);
  const problem = skipProblem(awsCluster);
  const { missing, unseen } = findingsOf(wants, facts);
  return { ...found, missing: [...(problem ? [problem] : []), ...missing], unseen };
};

/**
 * Checks for every new cluster among the changes whether the account meets its needs. `after` reads the objects with
 * the changes. Only reads.
 */
export const preflightOf = async (
  factsOf: FactsOf,
  after: Reads,
  changes: readonly Change[],
  now: Date,
): Promise<Preflight[]> => {
  const clusters = await clustersOf(after, changes);
  const found = await Promise.all(
    clusters.map(async (cluster): Promise<Preflight | undefined> => {
      try {
        return await lookAt(factsOf, after, cluster, now);
      } catch (error) {
        const { namespace, name } = cluster.metadata;
        return { cluster: `${namespace}/${name}`, missing: [], unseen: [`the account: ${describeAwsError(error)}`] };
      }
    }),
  );
  return found.filter((one) => one !== undefined);
};
