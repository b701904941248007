import type { CallExtension } from '../../../shared/extensions/transport.ts';
import { isClassPaused } from '../../../shared/kinds/cluster-class/status.ts';
import { areVariablesKnown, discoversVariables } from '../../../shared/kinds/cluster-class/variables/discovered.ts';
import { type ExtensionConfig, kinds } from '../../../shared/kinds/index.ts';
import { inFairOrder } from '../../../shared/kube-api/garbage/fair-order.ts';
import { needsDiscovery } from '../../../shared/plan/hooks/registrations.ts';
import { isTrue, withConditions } from '../../../shared/plan/status/conditions.ts';
import { isObjectPaused } from '../../../shared/plan/status/paused.ts';
import { mapIsolated } from '../../../shared/store/concurrency.ts';
import { discoverExtension } from '../../extensions/discover.ts';
import { discoverVariables } from '../../extensions/discover-variables.ts';
import { lookUp, withinBudget } from '../../extensions/installed.ts';
import type { DriftDependencies } from '../dependencies.ts';
import type { SweepRun } from '../run.ts';

type ExtensionDependencies = Pick<DriftDependencies, 'objects' | 'clock' | 'sweepMinutes' | 'callExtension'>;

/** An extension may change its handlers without notice, so all are discovered again. */
const EVERY_MINUTES = 60;

/** A paused extension reports its pause, and keeps the handlers that were found before. */
const reportPaused = async ({ objects, clock }: ExtensionDependencies, config: ExtensionConfig): Promise<void> => {
  if (isTrue(config.status?.conditions, 'Paused')) return;
  const message = 'ExtensionConfig has the cluster.x-k8s.io/paused annotation';
  const claim = { type: 'Paused', status: 'True', reason: 'Paused', message } as const;
  const key = { namespace: '', name: config.metadata.name };
  await objects.mutate(kinds.extensionConfig, key, (current) => {
    const conditions = withConditions(current.status?.conditions, [claim], current.metadata.generation, clock.now());
    return { ...current, status: { ...current.status, conditions } };
  });
};

const isTurn = ({ clock, sweepMinutes }: ExtensionDependencies): boolean =>
  (clock.now().getTime() / 60_000) % EVERY_MINUTES < sweepMinutes;

/**
 * Asks extensions for their handlers, and for the variables of classes. Those that are new, have changed or did not
 * answer are asked in every sweep, all others once an hour. Without extensions, this costs one read of an empty list.
 */
export const discoverExtensions = async (deps: ExtensionDependencies, run: SweepRun): Promise<void> => {
  const { callExtension } = deps;
  if (!callExtension) return;
  const isHour = isTurn(deps);
  const configs = (await deps.objects.list(kinds.extensionConfig)).filter((it) => !it.metadata.deletionTimestamp);
  const asked = configs.filter(
    (config) =>
      !isObjectPaused(config) && (isHour || needsDiscovery(config) || !isTrue(config.status?.conditions, 'Discovered')),
  );
  const results = await Promise.allSettled([
    ...asked.map((config) => discoverExtension(deps, callExtension, config)),
    ...configs.filter(isObjectPaused).map((config) => reportPaused(deps, config)),
  ]);
  for (const result of results) if (result.status === 'rejected') run.faults.push(result.reason);
  if (configs.length > 0) await discoverClassVariables(deps, callExtension, run, isHour);
};

/**
 * A class may name slow handlers in many patches: neither a single handler nor all together may keep the sweep from its
 * work.
 */
const VARIABLES_SECONDS = 20;

/**
 * Tenants may create any number of classes, but extensions are sized for a few: more concurrent calls would fail for
 * everyone.
 */
const CLASSES_AT_ONCE = 8;

/**
 * Classes can name extensions only if there are any. Variables are discovered separately for each class, with the
 * namespaces in turn. If no time is left for a class, its known variables stay until the next sweep.
 */
const discoverClassVariables = async (
  deps: ExtensionDependencies,
  call: CallExtension,
  run: SweepRun,
  isHour: boolean,
): Promise<void> => {
  const { clock } = deps;
  const end = clock.now().getTime() + VARIABLES_SECONDS * 1000;
  const classes = await deps.objects.survey(kinds.clusterClass, undefined, run.budget);
  const asked = classes.filter(
    (it) =>
      discoversVariables(it.spec) &&
      !isClassPaused(it) &&
      !it.metadata.deletionTimestamp &&
      (isHour || !areVariablesKnown(it)),
  );
  await mapIsolated(
    inFairOrder(asked, ({ metadata }) => metadata.namespace ?? '', clock.now()),
    CLASSES_AT_ONCE,
    async (it) => {
      if (clock.now().getTime() >= end) return;
      const bounded = withinBudget(deps, call, VARIABLES_SECONDS);
      await discoverVariables(deps, bounded, await lookUp(deps, bounded, it), it);
    },
    (_, error) => run.faults.push(error),
  );
};
