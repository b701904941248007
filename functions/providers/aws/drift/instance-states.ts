import { recordEvent } from '../../../../shared/events/record.ts';
import type { Cluster } from '../../../../shared/kinds/index.ts';
import {
  type DriftPlan,
  type Finding,
  judgeLooks,
  lookAt,
} from '../../../../shared/providers/aws/plan/drift/states.ts';
import { COMPONENT, type DriftDependencies } from '../../../drift/dependencies.ts';
import type { Fleet } from '../../../drift/fleets.ts';
import type { Observation } from '../../../drift/observe.ts';
import type { SweepRun } from '../../../drift/run.ts';
import { mark } from './mark.ts';

/** What the states of all instances come to. */
export interface Compared {
  considered: number;
  /** Machines whose instances are in another state than was known. */
  found: number;
  isSuspicious: boolean;
  /** The fleets without the clusters of namespaces in which the evidence is not believed. */
  trusted: Fleet[];
  /** Writes down what was found for the others, and returns the clusters that have to look at it. */
  mark(): Promise<Cluster[]>;
}

const namespaceOf = ({ cluster }: { cluster: Cluster }): string => cluster.metadata.namespace ?? '';

/** Says on each cluster concerned that we do not believe our own eyes. */
const warn = async (
  { objects, clock, log }: DriftDependencies,
  { findings, suspended, lost, considered }: DriftPlan,
  run: SweepRun,
): Promise<void> => {
  if (suspended.size === 0) return;
  log.warn('too many instances look lost at once, so the sweep changes nothing', { lost, considered });
  const message = `${lost} of ${considered} instances look lost at once. That is taken for a fault of the sweep or its permissions: nothing is replaced until fewer do`;
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

const withoutNamespaces = ({ scope, clusters, machines }: Fleet, suspended: ReadonlySet<string>): Fleet => ({
  scope,
  clusters: clusters.filter((at) => !suspended.has(namespaceOf(at))),
  machines: machines.filter((known) => !suspended.has(namespaceOf(known))),
});

/** Marks what was found and returns the clusters that have to look at it. */
const markAll = async (deps: DriftDependencies, findings: readonly Finding[], run: SweepRun): Promise<Cluster[]> => {
  await run.pledge(findings.map(({ cluster }) => cluster));
  const marked = await run.each('note the state of its instance', findings, async (finding) =>
    (await mark(deps, finding, COMPONENT)) ? [finding.cluster] : [],
  );
  return marked.flat();
};

/** Compares all machines with the states of their instances, each account and region by itself. */
export const compareStates = async (
  deps: DriftDependencies,
  { fleets, instances }: Pick<Observation, 'fleets' | 'instances'>,
  run: SweepRun,
): Promise<Compared> => {
  const facts = { states: new Map([...instances].map(([id, { state }]) => [id, state])), now: deps.clock.now() };
  const judged = await Promise.all(
    fleets.map(async (fleet) => {
      const looks = await run.each('compare the state of its instance', fleet.machines, (known) =>
        lookAt(known, facts),
      );
      return { fleet, plan: judgeLooks(looks.filter((look) => look !== undefined)) };
    }),
  );
  for (const { plan } of judged) await warn(deps, plan, run);
  const believed = judged.flatMap(({ plan: { findings, suspended } }) =>
    findings.filter((finding) => !suspended.has(namespaceOf(finding))),
  );
  return {
    considered: judged.reduce((total, { plan }) => total + plan.considered, 0),
    found: judged.reduce((total, { plan }) => total + plan.findings.length, 0),
    isSuspicious: judged.some(({ plan }) => plan.suspended.size > 0),
    trusted: judged.map(({ fleet, plan }) => withoutNamespaces(fleet, plan.suspended)),
    mark: () => markAll(deps, believed, run),
  };
};
