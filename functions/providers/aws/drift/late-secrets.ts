/** Deletes bootstrap data that a request without an answer has stored after it was no longer needed. */
import { describeAwsError, isDenied } from '../../../../shared/aws/errors.ts';
import { makeRecorder } from '../../../../shared/events/recorder.ts';
import { type Cluster, kinds } from '../../../../shared/kinds/index.ts';
import { keyOf } from '../../../../shared/kube-api/object.ts';
import { isPaused } from '../../../../shared/plan/status/cluster-claims.ts';
import { isObjectPaused } from '../../../../shared/plan/status/paused.ts';
import type { SecretDeletion } from '../../../../shared/providers/aws/api/secret-deletion.ts';
import {
  type LateSecrets,
  removableLateSecrets,
  withoutLateSecrets,
} from '../../../../shared/providers/aws/plan/delivery/late-secrets.ts';
import { secretNames } from '../../../../shared/providers/aws/plan/delivery/plan.ts';
import type { PlacedMachine } from '../../../../shared/providers/aws/plan/drift/difference.ts';
import { identityOf } from '../../../../shared/providers/aws/plan/ownership/instance.ts';
import type { Bulkheads } from '../../../bulkheads.ts';
import { COMPONENT } from '../../../drift/dependencies.ts';
import type { AwsFleet } from './accounts.ts';
import type { AwsSweepDependencies } from './dependencies.ts';
import type { AWS_SWEEP_REASONS } from './reasons.ts';

type Dependencies = Pick<AwsSweepDependencies, 'objects' | 'bootstrapSecrets' | 'clock' | 'log'>;

interface WithLateSecrets extends PlacedMachine {
  late: LateSecrets;
}

const removableIn = ({ machines }: Pick<AwsFleet, 'machines'>, now: Date): WithLateSecrets[] =>
  machines.flatMap((known) => {
    if (isPaused(known.cluster) || isObjectPaused(known.infrastructure)) return [];
    const late = removableLateSecrets(known.infrastructure, now);
    return late ? [{ ...known, late }] : [];
  });

/** The names are forgotten last: after a crash in between, the secrets are deleted again. */
const remove = async (
  deps: Dependencies,
  secrets: SecretDeletion,
  { machine, infrastructure, late }: WithLateSecrets,
): Promise<void> => {
  const names = secretNames(late.secretPrefix, late.secretCount);
  const owner = identityOf(machine);
  const results = await Promise.all(names.map((name) => secrets.delete(name, owner)));
  if (!results.includes('foreign')) {
    const message = `Deleted ${names.join(', ')}, which a late request may have created again`;
    const recorder = makeRecorder<typeof AWS_SWEEP_REASONS>(deps, COMPONENT);
    await recorder.normal(infrastructure, 'SuccessfulDeleteBootstrapSecret', message);
  }
  const { uid } = infrastructure.metadata;
  await deps.objects.mutate(kinds.awsMachine, keyOf(infrastructure), (current) =>
    current.metadata.uid === uid ? withoutLateSecrets(current, late) : undefined,
  );
};

/**
 * Deletes the late secrets of an account's machines in a region. Makes no call if there are none. It requests no pass,
 * because nothing else depends on them. A missing permission is only logged.
 */
export const deleteLateSecrets = async (
  deps: Dependencies,
  fleet: Pick<AwsFleet, 'scope' | 'machines'>,
  _turn: ReadonlySet<string>,
  run: Bulkheads,
): Promise<Cluster[]> => {
  const removable = removableIn(fleet, deps.clock.now());
  if (removable.length === 0) return [];
  const secrets = deps.bootstrapSecrets(fleet.scope);
  await run.each('delete its late bootstrap data', removable, async (one) => {
    try {
      await remove(deps, secrets, one);
    } catch (error) {
      if (!isDenied(error)) throw error;
      const { namespace, name } = one.machine.metadata;
      deps.log.warn('late bootstrap data could not be deleted', { namespace, name, reason: describeAwsError(error) });
    }
  });
  return [];
};
