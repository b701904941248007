/** One possible outside change, and its result under each policy. */
import { kinds } from '../../shared/kinds/index.ts';
import { DRIFT_POLICIES, type DriftKind, type DriftPolicy } from '../../shared/kinds/rules/drift-policy.ts';
import { NAMESPACE } from '../cluster-infrastructure/world.ts';
import type { DriftWorld, Step } from './drift-world.ts';

export interface Row {
  kind: DriftKind;
  /** The change, as a phrase. */
  what: string;
  change: (world: DriftWorld) => Promise<unknown>;
  /** Whether the account is still in the changed state. */
  isThere: (world: DriftWorld) => Promise<boolean>;
  /** The step of a pass that detects it; none if the sweep does everything. */
  step?: Step;
  /** Set if it cannot be adopted, although others of its kind can: then it is reported. */
  isOnlyReported?: true;
  /** The result of a repair that makes no calls; until then, the condition stays. */
  repaired?: string;
}

/** The actions under a policy until nothing changed any more. */
export interface Outcome {
  policy: DriftPolicy;
  /** Whether the sweep requested a pass, or acted or reported itself. */
  isSwept: boolean;
  isThere: boolean;
  /** Calls that changed the account, each name once. */
  calls: readonly string[];
  /** `Reason of the Kind`, each once. */
  events: readonly string[];
  /** `type of the Kind` that are True in the end. */
  conditions: readonly string[];
  /** Whether another sweep without new changes did nothing. */
  isQuiet: boolean;
}

/** More than the slowest repair takes: a NAT gateway must be deleted before it is replaced. */
const ROUNDS = 4;
const ROUND_SECONDS = 120;

const OURS = /^windlass\.dev\/.*Drifted$|^(Infrastructure|Node)Ready$/;

const isBad = ({ type, status }: { type: string; status: string }): boolean =>
  type.endsWith('Ready') ? status === 'False' : status === 'True';

/** The conditions by the type of their resource. */
const conditionsOf = async ({ objects, cluster }: DriftWorld): Promise<Map<string, string>> => {
  const machines = await objects.list(kinds.machine, NAMESPACE);
  const all = [await cluster(), ...machines];
  const found = all.flatMap(({ kind, metadata, status }) =>
    (status?.conditions ?? [])
      // The Cluster's own InfrastructureReady is not part of this world, in which nothing reports it.
      .filter((condition) => OURS.test(condition.type) && isBad(condition))
      .map(({ type, status: value }): [string, string] => [
        `${metadata.name} ${type}`,
        `\`${type}\`${value === 'False' ? ' False' : ''} of the ${kind}`,
      ]),
  );
  return new Map(found);
};

const eventsOf = async ({ objects }: DriftWorld): Promise<string[]> =>
  (await objects.list(kinds.event, NAMESPACE)).map(
    ({ reason, involvedObject, metadata, count }) =>
      `${metadata.uid} ${count}|\`${reason}\` of the ${involvedObject?.kind}`,
  );

const round = async (world: DriftWorld, { step }: Row, before: ReadonlySet<string>): Promise<boolean> => {
  const isTouched = await world.sweep();
  const spoke = (await eventsOf(world)).some((event) => !before.has(event));
  if (step) await world.pass(step);
  return isTouched || spoke;
};

const tryPolicy = async (
  world: DriftWorld,
  row: Row,
  policy: DriftPolicy,
  known: ReadonlyMap<string, string>,
): Promise<Outcome> => {
  await world.setPolicy(`${row.kind}=${policy}`);
  const before = new Set(await eventsOf(world));
  world.calls.length = 0;
  let isSwept = false;
  for (let left = ROUNDS; left > 0; left -= 1) {
    isSwept = (await round(world, row, before)) || isSwept;
    if (policy === 'Report' || !(await row.isThere(world))) break;
    world.clock.advance(ROUND_SECONDS);
  }
  const events = (await eventsOf(world)).filter((event) => !before.has(event));
  const settled = { isThere: await row.isThere(world), calls: [...new Set(world.calls)] };
  const all = await eventsOf(world);
  const isQuiet = !(await world.sweep()) && (await eventsOf(world)).join() === all.join();
  const now = await conditionsOf(world);
  return {
    ...{ policy, isSwept, ...settled, isQuiet },
    conditions: [...new Set([...now].filter(([key]) => !known.has(key)).map(([, text]) => text))],
    events: [...new Set(events.map((event) => event.split('|')[1] ?? ''))].sort(),
  };
};

const ORDER: readonly DriftPolicy[] = ['Report', 'Repair', 'Adopt'];

/**
 * Makes the change once and applies the policies: a change that is only reported remains, and the next policy repairs
 * it.
 */
export const tryRow = async (world: DriftWorld, row: Row): Promise<Outcome[]> => {
  const outcomes: Outcome[] = [];
  // A machine has this condition until it is replaced.
  const known = await conditionsOf(world);
  const policies: readonly DriftPolicy[] = DRIFT_POLICIES[row.kind];
  const tried = row.isOnlyReported ? policies.filter((one) => one !== 'Adopt') : policies;
  for (const policy of ORDER.filter((one) => tried.includes(one))) {
    if (!(await row.isThere(world))) await row.change(world);
    outcomes.push(await tryPolicy(world, row, policy, known));
  }
  return outcomes;
};
