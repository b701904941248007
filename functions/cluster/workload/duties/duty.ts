/** A task of a cloud controller manager that Windlass performs if an annotation of the Cluster requests it. */
import type { V1Node } from '@kubernetes/client-node';
import { describeError } from '../../../../shared/decode/describe-error.ts';
import { type Cluster, kinds } from '../../../../shared/kinds/index.ts';
import { keyOf } from '../../../../shared/kube-api/object.ts';
import { type IdleReason, isSaid } from '../../../../shared/plan/duties/condition.ts';
import { type DutyEntry, settledDuty, withSettledDuty } from '../../../../shared/plan/duties/settled.ts';
import { withClaim } from '../../../../shared/plan/status/claimed.ts';
import type { ConditionClaim } from '../../../../shared/plan/status/conditions.ts';
import type { ConvergeInput } from '../../../../shared/work/payloads.ts';
import {
  type WorkloadClient,
  WorkloadRefusedError,
  WorkloadUnreachableError,
} from '../../../../shared/workload/client.ts';
import type { WorkloadPort } from '../../../providers/ports.ts';
import { cloudControllerIn } from '../../cloud-controller.ts';
import { readWorkloadTarget } from '../../kubeconfig-secret.ts';
import { type ClusterSnapshot, readCluster } from '../../snapshot.ts';
import { writtenFrom } from '../../staged.ts';
import type { ProbeDependencies } from '../dependencies.ts';
import type { Seen } from '../probe-operations.ts';

/** The dependencies and input of a duty in one pass. */
export interface OnDuty<Port> {
  deps: ProbeDependencies;
  snapshot: ClusterSnapshot;
  port: Port;
  client: WorkloadClient;
  nodes: readonly V1Node[];
  /** Runs work with a client whose time begins now: calls to the cloud may have used up that of `client`. */
  reconnected<R>(work: (client: WorkloadClient) => Promise<R>): Promise<R>;
}

/**
 * The result of a pass. `digest` describes a state that needs no other pass until it changes, or until the next hour.
 */
export interface Verdict {
  claim: ConditionClaim;
  digest?: string | undefined;
}

export interface Duty<Port> {
  /** The entry in which the digest is stored. */
  entry: DutyEntry;
  isWanted(cluster: Cluster): boolean;
  /** Whether it has a condition from before the annotation was removed. */
  wasWanted(cluster: Cluster): boolean;
  portOf(port: WorkloadPort | undefined): Port | undefined;
  /** The condition if nothing was examined. */
  idleClaim(reason: IdleReason, message: string): ConditionClaim;
  /** The subject in the log: `load balancers of Services`. */
  subject: string;
  /** What the provider of a kind does not do: `makes no load balancers for Services`. */
  lacks: string;
  /** What stays after the annotation is removed: `existing load balancers stay`. */
  stays: string;
  carryOut(work: OnDuty<Port>): Promise<Verdict>;
}

const say = async ({ objects, clock }: ProbeDependencies, { cluster }: ClusterSnapshot, claim: ConditionClaim) => {
  if (isSaid(cluster, claim)) return;
  await objects.mutate(kinds.cluster, keyOf(cluster), (current) =>
    current.metadata.uid === cluster.metadata.uid ? withClaim(current, claim, clock.now()) : undefined,
  );
};

/** Stores the digest, so that the sweep does not request another pass until something changes. */
const remember = async (
  { objects }: ProbeDependencies,
  { provider, infrastructureCluster }: ClusterSnapshot,
  entry: DutyEntry,
  digest: string | undefined,
): Promise<void> => {
  if (!provider || !infrastructureCluster || settledDuty(infrastructureCluster, entry) === digest) return;
  await objects.mutate(
    provider.cluster,
    keyOf(infrastructureCluster),
    (current) => withSettledDuty(current, entry, digest),
    writtenFrom(infrastructureCluster),
  );
};

/** The condition if the cluster could not be read, or the cloud did not answer. The pass continues. */
const failureClaim = <Port>(
  { subject, idleClaim }: Duty<Port>,
  { log }: ProbeDependencies,
  error: unknown,
): ConditionClaim => {
  const { reason } = describeError(error);
  if (error instanceof WorkloadUnreachableError || error instanceof WorkloadRefusedError) {
    return idleClaim('NotReached', error.message);
  }
  log.warn(`${subject} could not be handled`, { reason });
  return idleClaim('CloudFailed', reason);
};

/** Runs work with a client that is closed afterwards. */
const withClient = async <R>(client: WorkloadClient, work: (client: WorkloadClient) => Promise<R>): Promise<R> => {
  try {
    return await work(client);
  } finally {
    await client.close();
  }
};

const look = async <Port>(
  duty: Duty<Port>,
  deps: ProbeDependencies,
  snapshot: ClusterSnapshot,
  port: Port,
): Promise<Verdict> => {
  const target = await readWorkloadTarget(deps.objects, snapshot.cluster);
  if (!target) return { claim: duty.idleClaim('NotReached', 'the cluster has no kubeconfig yet') };
  const reconnected: OnDuty<Port>['reconnected'] = (work) => withClient(deps.connect(target), work);
  try {
    return await reconnected(async (client) => {
      const other = await cloudControllerIn(deps.objects, client, snapshot.cluster);
      if (other) {
        const message = `${other} already does this: remove it or the annotation`;
        return { claim: duty.idleClaim('OtherController', message) };
      }
      return duty.carryOut({ deps, snapshot, port, client, nodes: await client.nodes(), reconnected });
    });
  } catch (error) {
    return { claim: failureClaim(duty, deps, error) };
  }
};

const verdictOn = async <Port>(
  duty: Duty<Port>,
  deps: ProbeDependencies,
  snapshot: ClusterSnapshot,
): Promise<Verdict> => {
  const { cluster, provider } = snapshot;
  if (!duty.isWanted(cluster)) {
    return { claim: duty.idleClaim('NotRequested', `the annotation was removed; ${duty.stays}`) };
  }
  const port = duty.portOf(deps.providers[provider?.name ?? '']);
  if (port) return look(duty, deps, snapshot, port);
  const kind = cluster.spec.infrastructureRef?.kind ?? 'infrastructure';
  return { claim: duty.idleClaim('NotOffered', `${kind} ${duty.lacks}: delete the annotation`) };
};

/** Whether the duty has work to do: only if the annotation requests it, or did so before. */
export const concerns = <Port>(duty: Duty<Port>, { cluster }: ClusterSnapshot, seen: Seen | undefined): boolean =>
  duty.isWanted(cluster) ? seen?.reached === true : duty.wasWanted(cluster);

/** Carries out a duty for a workload cluster. A condition of the Cluster reports the result. */
export const onDuty =
  <Port>(duty: Duty<Port>, deps: ProbeDependencies) =>
  async ({ cluster: ref }: Pick<ConvergeInput, 'cluster'>): Promise<void> => {
    const snapshot = await readCluster(deps.objects, ref);
    if (!snapshot || snapshot.cluster.metadata.deletionTimestamp) return;
    const { claim, digest } = await verdictOn(duty, deps, snapshot);
    await remember(deps, snapshot, duty.entry, digest);
    await say(deps, snapshot, claim);
  };
