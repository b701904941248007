import type { Clock } from '../../shared/clock.ts';
import { recordEvent } from '../../shared/events/record.ts';
import { infrastructureName } from '../../shared/infrastructures/registry.ts';
import { type AWSCluster, kinds } from '../../shared/kinds/index.ts';
import type { ObjectClient } from '../../shared/kube-api/client.ts';
import { type LegacyClaim, withLegacyConditions } from '../../shared/plan/status/legacy-conditions.ts';
import { isExternallyManaged } from '../../shared/plan/status/managed-by.ts';
import type { ConvergeInput } from '../../shared/work/payloads.ts';
import { readClusterObject } from '../cluster/snapshot.ts';
import { IDENTITY_CLAIMS, IdentityError } from './identity-error.ts';

interface ReportDependencies {
  objects: ObjectClient;
  clock: Clock;
}

const says = ({ status }: AWSCluster, claims: readonly LegacyClaim[]): boolean =>
  claims.every(({ type, status: wanted, message }) =>
    status?.conditions?.some((one) => one.type === type && one.status === wanted && one.message === message),
  );

const claim = async (
  { objects, clock }: ReportDependencies,
  awsCluster: AWSCluster,
  claims: readonly LegacyClaim[],
): Promise<void> => {
  // Its conditions are the other system's to write.
  if (isExternallyManaged(awsCluster) || says(awsCluster, claims)) return;
  const { namespace = '', name } = awsCluster.metadata;
  await objects.mutate(kinds.awsCluster, { namespace, name }, (current) =>
    withLegacyConditions(current, claims, clock.now()),
  );
};

/** Says on the AWSCluster that its identity is usable. Costs nothing where it says so already. */
export const reportUsable = async (deps: ReportDependencies, awsCluster: AWSCluster): Promise<void> => {
  if (awsCluster.spec.identityRef) await claim(deps, awsCluster, Object.values(IDENTITY_CLAIMS));
};

const reportProblem = async (deps: ReportDependencies, { cluster: ref }: ConvergeInput, error: IdentityError) => {
  const cluster = await readClusterObject(deps.objects, ref);
  const name = infrastructureName('cluster', cluster?.spec.infrastructureRef);
  const awsCluster = name && (await deps.objects.get(kinds.awsCluster, { namespace: ref.namespace, name }));
  if (!awsCluster) return;
  await claim(deps, awsCluster, error.claims);
  const reason = error.claims.find(({ status }) => status !== 'True')?.reason ?? error.name;
  const happening = { regarding: awsCluster, type: 'Warning', reason, message: error.message } as const;
  await recordEvent(deps.objects, { ...happening, component: 'identity' }, deps.clock);
};

/**
 * A step that ends with `otherwise` where the cluster's identity cannot be used, which the AWSCluster then says by
 * condition and event.
 */
export const unlessUnusable =
  <R>(deps: ReportDependencies, step: (input: ConvergeInput) => Promise<R>, otherwise: R) =>
  async (input: ConvergeInput): Promise<R> => {
    try {
      return await step(input);
    } catch (error) {
      if (!(error instanceof IdentityError)) throw error;
      await reportProblem(deps, input, error);
      return otherwise;
    }
  };
