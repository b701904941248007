import { kinds } from '../../../../shared/kinds/index.ts';
import type { StateChange } from '../../../../shared/plan/instance-events/read.ts';
import {
  type Finding,
  isSettled,
  type KnownMachine,
  planDrift,
} from '../../../../shared/providers/aws/plan/drift/states.ts';
import { awsName } from '../../../../shared/providers/aws/references.ts';
import { COMPONENT, type EventDependencies } from '../../../events/dependencies.ts';
import { mark } from '../drift/mark.ts';

/** Where the machine's own execution looks, or nobody may, or the state is on record, EC2 need not be asked. */
const isNews = (known: KnownMachine, state: string): boolean =>
  isSettled(known) && known.infrastructure.status?.instanceState !== state;

/** From these nothing leads back. */
const FINAL = new Set(['shutting-down', 'terminated']);

const askEc2 = async (
  { objects, scopeOf, fleet }: EventDependencies,
  instanceId: string,
  { cluster }: KnownMachine,
  region: string | undefined,
): Promise<ReadonlyMap<string, string>> => {
  const { namespace = '' } = cluster.metadata;
  const name = awsName('cluster', cluster.spec.infrastructureRef);
  const scope = await scopeOf(name ? await objects.get(kinds.awsCluster, { namespace, name }) : undefined);
  // The event knows best where it comes from.
  return fleet({ ...scope, region: region ?? scope.region }).statesOf([instanceId]);
};

/**
 * How the instance differs from what is on record, as the sweep would find some minutes later. Events come late, twice
 * and in any order, so EC2 itself is asked where the state may have changed again.
 */
export const statesNow = async (
  deps: EventDependencies,
  { instanceId, state }: StateChange,
  known: KnownMachine,
  region: string | undefined,
): Promise<readonly Finding[]> => {
  if (!isNews(known, state)) return [];
  const states = FINAL.has(state) ? new Map([[instanceId, state]]) : await askEc2(deps, instanceId, known, region);
  // What EC2 does not list is left to the sweep, which knows how long that may be so.
  if (!states.has(instanceId)) return [];
  return planDrift({ machines: [known], states, now: deps.clock.now() }).findings;
};

/** Writes down that an instance is in another state. True when there was news. */
export const noteStates = async (deps: EventDependencies, findings: readonly Finding[]): Promise<boolean> => {
  const marked = await Promise.all(findings.map((finding) => mark(deps, finding, COMPONENT)));
  return marked.includes(true);
};
