import type { Clock } from '../../../../shared/clock.ts';
import { type AWSCluster, type AWSMachine, kinds } from '../../../../shared/kinds/index.ts';
import type { ObjectClient } from '../../../../shared/kube-api/storage/client.ts';
import type { KnownMachine, StateFinding } from '../../../../shared/plan/drift/finding.ts';
import type { Ec2Fleet } from '../../../../shared/providers/aws/api/ec2-fleet.ts';
import { groupNameOf, likelyPoolOf } from '../../../../shared/providers/aws/machine-pool/name.ts';
import { isConcernedBy, readApiCall, recordedNames } from '../../../../shared/providers/aws/plan/drift/api-call.ts';
import { stateFinding } from '../../../../shared/providers/aws/plan/drift/state-finding.ts';
import { isSettled, planDrift } from '../../../../shared/providers/aws/plan/drift/states.ts';
import { type GroupReport, readGroupEvent } from '../../../../shared/providers/aws/plan/events/groups.ts';
import { isInstanceEvent, readEvent, type StateReport } from '../../../../shared/providers/aws/plan/events/read.ts';
import { awsName } from '../../../../shared/providers/aws/references.ts';
import type { PerScope } from '../../../../shared/providers/aws/scope.ts';
import type { CloudNews, EventPort } from '../../event-port.ts';
import type { ScopeOf } from '../aws-scope.ts';
import { isOwnCall } from './own-call.ts';

/** The dependencies for reading AWS's events. */
export interface AwsEventDependencies {
  objects: Pick<ObjectClient, 'get'>;
  scopeOf: ScopeOf;
  fleet: PerScope<Pick<Ec2Fleet, 'statesOf'>>;
  clock: Pick<Clock, 'now'>;
}

/** No other state follows these states. */
const FINAL = new Set(['shutting-down', 'terminated']);

const askEc2 = async (
  { objects, scopeOf, fleet }: AwsEventDependencies,
  instanceId: string,
  { cluster }: KnownMachine,
  region: string | undefined,
): Promise<ReadonlyMap<string, string>> => {
  const { namespace = '' } = cluster.metadata;
  const name = awsName('cluster', cluster.spec.infrastructureRef);
  const scope = await scopeOf(name ? await objects.get(kinds.awsCluster, { namespace, name }) : undefined);
  // The event itself contains the region.
  return fleet({ ...scope, region: region ?? scope.region }).statesOf([instanceId]);
};

/**
 * How the instance differs from the record. Events are late, duplicated and out of order, so EC2 is queried if the
 * state may have changed again. It is not queried if the machine's own execution observes the instance, if the
 * permission is missing, or if the state is already recorded.
 */
const findingsNow = async (
  deps: AwsEventDependencies,
  { instanceId, state }: StateReport,
  known: KnownMachine,
  region: string | undefined,
): Promise<readonly StateFinding[]> => {
  // The type is safe: the core passes only objects of this provider's kind.
  const own = { ...known, infrastructure: known.infrastructure as AWSMachine };
  if (!isSettled(own) || own.infrastructure.status?.instanceState === state) return [];
  const states = FINAL.has(state) ? new Map([[instanceId, state]]) : await askEc2(deps, instanceId, known, region);
  // Instances that EC2 does not list are left to the sweep, which knows how long they may be missing.
  if (!states.has(instanceId)) return [];
  return planDrift({ machines: [own], states, now: deps.clock.now() }).findings.map(stateFinding);
};

const groupNews = ({ group, what }: GroupReport): CloudNews => ({
  pool: { what, group, likely: likelyPoolOf(group), concerns: (pool) => groupNameOf(pool) === group },
});

/** The events of AWS: from EC2, Auto Scaling and AWS Health, and from CloudTrail if the account has a trail. */
export const makeEventPort = (deps: AwsEventDependencies): EventPort => ({
  read: (event) => {
    const call = readApiCall(event);
    // A refused call names no resource.
    if (call?.resources.length === 0) return { instances: [] };
    if (call) {
      const concerns = (infrastructure: object) => isConcernedBy(call, infrastructure as AWSCluster);
      const isOwn = (infrastructure: object) => isOwnCall(deps.objects, call, infrastructure as AWSCluster);
      const namesIn = (infrastructure: object) => recordedNames(infrastructure as AWSCluster);
      return { change: { what: call.name, resources: call.resources, namesIn, concerns, isOwn } };
    }
    const group = readGroupEvent(event);
    if (group) return groupNews(group);
    if (!isInstanceEvent(event)) return undefined;
    const { region } = event as { region?: string };
    const instances = readEvent(event).map((news) =>
      news.kind === 'state' ? { ...news, look: (known: KnownMachine) => findingsNow(deps, news, known, region) } : news,
    );
    return { instances };
  },
});
