import { recordEvent } from '../../../shared/events/record.ts';
import type { Cluster } from '../../../shared/kinds/index.ts';
import type { StateFinding } from '../../../shared/plan/drift/finding.ts';
import { type Judgement, judgeLooks } from '../../../shared/plan/drift/losses.ts';
import type { Infrastructure } from '../../../shared/providers/infrastructure.ts';
import { COMPONENT, type DriftDependencies } from '../dependencies.ts';
import type { Observation, SeenPart } from '../fleet/observe.ts';
import type { SweepRun } from '../run.ts';
import { mark } from './mark.ts';

/** The result of comparing the states of all instances. */
export interface Compared {
  considered: number;
  /** Machines whose instances are not in the recorded state. */
  found: number;
  isSuspicious: boolean;
  /** The parts without the clusters in namespaces where too many machines look lost to be believed. */
  believed: readonly SeenPart[];
  /** The same parts without the namespaces to which the fleet brake applies. Only these may be changed. */
  trusted: readonly SeenPart[];
  /** Writes the findings for the trusted parts, and returns the clusters that need a pass. */
  mark(): Promise<Cluster[]>;
}

type StatePlan = Judgement<StateFinding>;

const namespaceOf = ({ cluster }: { cluster: Cluster }): string => cluster.metadata.namespace ?? '';

/** Reports on each affected cluster that too many machines look lost for the sweep to act. */
const warn = async (
  { objects, clock, log }: DriftDependencies,
  { findings, suspended, lost, considered }: StatePlan,
  run: SweepRun,
): Promise<void> => {
  if (suspended.size === 0) return;
  log.warn('too many instances look lost at the same time, so the sweep changes nothing', { lost, considered });
  const message = `${lost} of ${considered} instances look lost at the same time. This is probably a fault of the sweep or its permissions: nothing is replaced until fewer look lost`;
  const concerned = findings.filter((finding) => suspended.has(namespaceOf(finding)));
  const clusters = [...new Map(concerned.map(({ cluster }) => [cluster.metadata.uid, { cluster }])).values()];
  await run.each('warn of a suspended sweep', clusters, ({ cluster: regarding }) =>
    recordEvent(
      objects,
      { regarding, type: 'Warning', reason: 'SweepSuspended', message, component: COMPONENT },
      clock,
    ),
  );
};

const without = (part: SeenPart, isSuspended: (namespace: string) => boolean): SeenPart => ({
  ...part,
  clusters: part.clusters.filter((at) => !isSuspended(namespaceOf(at))),
  machines: part.machines.filter((known) => !isSuspended(namespaceOf(known))),
});

type Believed = StateFinding & { provider: Infrastructure };

/** Marks the findings and returns the clusters that need a pass. */
const markAll = async (deps: DriftDependencies, findings: readonly Believed[], run: SweepRun): Promise<Cluster[]> => {
  await run.pledge(findings.map(({ cluster }) => cluster));
  const marked = await run.each('note the state of its instance', findings, async (finding) =>
    (await mark(deps, finding.provider, finding, COMPONENT)) ? [finding.cluster] : [],
  );
  return marked.flat();
};

/** Compares all machines with the states of their instances, separately for each part of a fleet. */
export const compareStates = async (
  deps: DriftDependencies,
  { parts: all }: Observation,
  run: SweepRun,
): Promise<Compared> => {
  const now = deps.clock.now();
  const judged = await Promise.all(
    all.map(async (part) => {
      const looks = await run.each('compare the state of its instance', part.machines, (known) =>
        part.sight.compareState(known, now),
      );
      return {
        part,
        plan: judgeLooks(
          looks.filter((look) => look !== undefined),
          deps.brakeLimits,
        ),
      };
    }),
  );
  for (const { plan } of judged) await warn(deps, plan, run);
  const believed = judged.flatMap(({ part: { provider }, plan: { findings, suspended } }) =>
    findings
      .filter((finding) => !suspended.has(namespaceOf(finding)) && !run.isBraked(namespaceOf(finding)))
      .map((finding) => ({ ...finding, provider })),
  );
  const parts = judged.map(({ part, plan }) => without(part, (namespace) => plan.suspended.has(namespace)));
  return {
    considered: judged.reduce((total, { plan }) => total + plan.considered, 0),
    found: judged.reduce((total, { plan }) => total + plan.findings.length, 0),
    isSuspicious: judged.some(({ plan }) => plan.suspended.size > 0),
    believed: parts,
    trusted: parts.map((part) => without(part, run.isBraked)),
    mark: () => markAll(deps, believed, run),
  };
};
