import type { Clock } from '../../../../shared/clock.ts';
import { type AWSCluster, kinds } from '../../../../shared/kinds/index.ts';
import type { ObjectClient } from '../../../../shared/kube-api/storage/client.ts';
import { type LegacyClaim, withLegacyConditions } from '../../../../shared/plan/status/legacy-conditions.ts';
import { isExternallyManaged } from '../../../../shared/plan/status/managed-by.ts';
import { isUntouched } from '../../../../shared/providers/aws/plan/ownership/untouched.ts';
import { awsName } from '../../../../shared/providers/aws/references.ts';
import { saySame } from '../../../../shared/request-details.ts';
import type { ConvergeInput, DoneResult } from '../../../../shared/work/payloads.ts';
import { unlessOthers } from '../../../cluster/owners.ts';
import { readClusterObject } from '../../../cluster/snapshot.ts';
import { IDENTITY_CLAIMS, IdentityError } from './identity-error.ts';
import { recorder } from './reasons.ts';

interface ReportDependencies {
  objects: ObjectClient;
  clock: Clock;
}

const says = ({ status }: AWSCluster, claims: readonly LegacyClaim[]): boolean =>
  claims.every(({ type, status: wanted, message }) =>
    status?.conditions?.some((one) => one.type === type && one.status === wanted && saySame(one.message, message)),
  );

const claim = async (
  { objects, clock }: ReportDependencies,
  awsCluster: AWSCluster,
  claims: readonly LegacyClaim[],
): Promise<void> => {
  // If another system manages the AWSCluster, that system writes its conditions.
  if (isExternallyManaged(awsCluster) || says(awsCluster, claims)) return;
  const { namespace = '', name } = awsCluster.metadata;
  await objects.mutate(kinds.awsCluster, { namespace, name }, (current) =>
    withLegacyConditions(current, claims, clock.now()),
  );
};

/** Reports on the AWSCluster that its identity is usable. Costs nothing if it already does. */
export const reportUsable = async (deps: ReportDependencies, awsCluster: AWSCluster): Promise<void> => {
  if (awsCluster.spec.identityRef) await claim(deps, awsCluster, Object.values(IDENTITY_CLAIMS));
};

/** The Cluster and its AWSCluster, if both exist. */
const readBoth = async ({ objects }: ReportDependencies, { cluster: ref }: ConvergeInput) => {
  const cluster = await readClusterObject(objects, ref);
  const name = awsName('cluster', cluster?.spec.infrastructureRef);
  if (!cluster || !name) return undefined;
  const awsCluster = unlessOthers(await objects.get(kinds.awsCluster, { namespace: ref.namespace, name }), cluster);
  return awsCluster ? { cluster, awsCluster } : undefined;
};

const reportProblem = async (deps: ReportDependencies, awsCluster: AWSCluster, error: IdentityError) => {
  await claim(deps, awsCluster, error.claims);
  await recorder(deps).warning(awsCluster, error.reason, error.message);
};

/**
 * A step that returns `otherwise` if the cluster's identity cannot be used; the AWSCluster then reports this in a
 * condition and an event.
 */
export const unlessUnusable =
  <R>(deps: ReportDependencies, step: (input: ConvergeInput) => Promise<R>, otherwise: R) =>
  async (input: ConvergeInput): Promise<R> => {
    try {
      return await step(input);
    } catch (error) {
      if (!(error instanceof IdentityError)) throw error;
      const both = await readBoth(deps, input);
      if (both) await reportProblem(deps, both.awsCluster, error);
      return otherwise;
    }
  };

type Deletion = (input: ConvergeInput) => Promise<DoneResult>;

/**
 * A step of a deletion. If the identity cannot be used, but the records show that nothing was ever created for the
 * cluster, the step still completes, with `whenUntouched`. Otherwise it waits, and the AWSCluster reports the reason.
 */
export const deletingUnlessUnusable = (
  deps: ReportDependencies,
  step: Deletion,
  whenUntouched: (awsCluster: AWSCluster, error: IdentityError) => Promise<void> = async () => {},
): Deletion => {
  const orUntouched: Deletion = async (input) => {
    try {
      return await step(input);
    } catch (error) {
      const both = error instanceof IdentityError ? await readBoth(deps, input) : undefined;
      const isGoing = both?.cluster.metadata.deletionTimestamp && both.awsCluster.metadata.deletionTimestamp;
      if (!both || !isGoing || !isUntouched(both.awsCluster)) throw error;
      await whenUntouched(both.awsCluster, error as IdentityError);
      return { done: true };
    }
  };
  return unlessUnusable(deps, orUntouched, { done: false });
};
