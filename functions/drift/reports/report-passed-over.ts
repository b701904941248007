import { recordEvent } from '../../../shared/events/record.ts';
import { kinds, type Namespace } from '../../../shared/kinds/index.ts';
import { formatTime, type KubeObject } from '../../../shared/kube-api/object.ts';
import type { Excess } from '../../../shared/kube-api/storage/read-budget.ts';
import type { ConditionClaim } from '../../../shared/plan/status/conditions.ts';
import { safeReason } from '../../../shared/safe-reason.ts';
import { COMPONENT, type DriftDependencies } from '../dependencies.ts';
import { SWEEP_LIMITS } from '../memory-limits.ts';
import { isPassedOver, PASSED_OVER } from '../namespaces.ts';
import type { SweepRun } from '../run.ts';

type ReportDependencies = Pick<DriftDependencies, 'objects' | 'clock' | 'log' | 'memory'>;

const megabytes = (bytes: number): number => Math.round(bytes / 1024 / 1024);

const CONSEQUENCE =
  'Nothing in it is compared or repaired until it takes less, which the sweep checks once an hour. Delete objects that are not needed';

const messageOf = ({ isAlone }: Excess, limit: number): string =>
  isAlone
    ? `The objects of this namespace take more than ${megabytes(limit)} MB of memory, so the sweep skips it. ${CONSEQUENCE}`
    : `The objects of all namespaces together take more memory than the sweep has, and those of this one take most, so the sweep skips it. ${CONSEQUENCE}`;

/** An event about a namespace is recorded in that namespace, where its users can see it. */
const within = (namespace: Namespace): KubeObject => ({
  ...namespace,
  metadata: { ...namespace.metadata, namespace: namespace.metadata.name },
});

const write = async (
  { objects, clock }: ReportDependencies,
  { metadata: { name, uid } }: Namespace,
  claim: ConditionClaim,
): Promise<void> => {
  await objects.mutate(kinds.namespace, { namespace: '', name }, (current) => {
    if (current.metadata.uid !== uid) return undefined;
    const others = (current.status?.conditions ?? []).filter(({ type }) => type !== claim.type);
    const condition = { ...claim, lastTransitionTime: formatTime(clock.now()) };
    return { ...current, status: { ...current.status, conditions: [...others, condition] } };
  });
};

const markOne = async (deps: ReportDependencies, namespace: Namespace, excess: Excess): Promise<void> => {
  const { objects, clock, log, memory } = deps;
  const { isAlone, bytes } = excess;
  const { name } = namespace.metadata;
  log.warn('a namespace takes too much memory and is skipped', {
    ...{ namespace: name, megabytes: megabytes(bytes), isAlone },
  });
  const [reason, message] = ['NamespaceTooLarge', messageOf(excess, (memory ?? SWEEP_LIMITS).namespace)];
  // The condition comes first: it keeps the next sweeps from reading the namespace.
  if (!isPassedOver(namespace)) await write(deps, namespace, { type: PASSED_OVER, status: 'True', reason, message });
  const regarding = within(namespace);
  await recordEvent(objects, { regarding, type: 'Warning', reason, message, component: COMPONENT }, clock);
};

/** A namespace whose report cannot be written is still skipped, and the sweep continues with the others. */
const isolated = async (
  { log }: ReportDependencies,
  { metadata: { name } }: Namespace,
  faults: unknown[],
  report: () => Promise<void>,
): Promise<void> => {
  try {
    await report();
  } catch (error) {
    log.error('whether a namespace is skipped could not be reported', { namespace: name, reason: safeReason(error) });
    faults.push(error);
  }
};

/**
 * Records on each of the namespaces that has exceeded the budget that the sweep skips it, unless this is recorded
 * already. An event is recorded each time that a namespace was read in vain. Returns the other namespaces, without those
 * that were left out in place of a larger one.
 */
export const markPassedOver = async (
  deps: ReportDependencies,
  namespaces: readonly Namespace[],
  { budget, faults }: Pick<SweepRun, 'budget' | 'faults'>,
): Promise<readonly Namespace[]> => {
  for (const namespace of namespaces) {
    const excess = budget.exceeded().get(namespace.metadata.name);
    if (excess) await isolated(deps, namespace, faults, () => markOne(deps, namespace, excess));
  }
  return namespaces.filter(({ metadata: { name } }) => !(budget.isLeftOut(name) || budget.exceeded().has(name)));
};

/**
 * Records on namespaces that were swept that they are no longer skipped. Writes nothing to a namespace that was not
 * skipped before.
 */
export const unmarkPassedOver = async (
  deps: ReportDependencies,
  swept: readonly Namespace[],
  { faults }: Pick<SweepRun, 'faults'>,
): Promise<void> => {
  const claim = { type: PASSED_OVER, status: 'False', reason: 'NamespaceSwept' } as const;
  for (const namespace of swept.filter(isPassedOver))
    await isolated(deps, namespace, faults, () => write(deps, namespace, claim));
};
