import type { Clock } from '../../shared/clock.ts';
import type { ObjectClient } from '../../shared/kube-api/client.ts';
import type { Registry } from '../../shared/kube-api/registry.ts';
import type { Log } from '../../shared/log.ts';
import type { SyncedKeys } from '../../shared/plan/machines/node-metadata.ts';
import type { DeletedSecrets } from '../../shared/providers/aws/api/deleted-secrets.ts';
import type { Ec2Fleet, Ec2Schedule } from '../../shared/providers/aws/api/ec2-fleet.ts';
import type { Ec2Repairs } from '../../shared/providers/aws/api/ec2-repairs.ts';
import type { Elbv2Listing } from '../../shared/providers/aws/api/elbv2-listing.ts';
import type { Elbv2Reads } from '../../shared/providers/aws/load-balancer/api.ts';
import type { ObservedLoadBalancing } from '../../shared/providers/aws/load-balancer/model.ts';
import type { NetworkView } from '../../shared/providers/aws/network/observe.ts';
import type { PerScope } from '../../shared/providers/aws/scope.ts';
import type { Touch } from '../../shared/store/executions.ts';
import type { PledgedWrite, PledgeStore } from '../../shared/store/pledges.ts';
import type { Records } from '../../shared/store/records.ts';
import type { WorkStore } from '../../shared/store/work.ts';
import type { ClusterRef } from '../../shared/work/payloads.ts';
import type { ConnectWorkload } from '../../shared/workload/client.ts';
import type { ScopeOf } from '../providers/aws/aws-scope.ts';

/** What load balancers of both generations are looked at with. */
export interface BalancingView extends Elbv2Reads {
  list(): Promise<Elbv2Listing>;
  listClassicNames(): Promise<ReadonlySet<string>>;
  observeClassic(name: string): Promise<ObservedLoadBalancing>;
}

/** What the sweep works with. */
export interface DriftDependencies {
  objects: ObjectClient;
  records: Pick<Records, 'list' | 'end'>;
  work: Pick<WorkStore, 'due'>;
  touch: Touch;
  /** Touches that must not be lost. */
  pledges: PledgeStore;
  /** The clusters that a write concerns. */
  affected(write: PledgedWrite): Promise<readonly ClusterRef[]>;
  collectGarbage: Registry['collectGarbage'];
  scopeOf: ScopeOf;
  fleet: PerScope<Pick<Ec2Fleet, 'describeInstances'> & Ec2Schedule>;
  repairs: PerScope<Ec2Repairs>;
  secrets: PerScope<DeletedSecrets>;
  network: PerScope<NetworkView>;
  balancing: PerScope<BalancingView>;
  /** Opens clients of created clusters; loaded by the first that is needed. */
  connect: () => Promise<ConnectWorkload>;
  /** What else nodes take over from their machines. */
  synced?: SyncedKeys;
  /** How often the sweep comes round. */
  sweepMinutes: number;
  clock: Clock;
  log: Log;
}

export const COMPONENT = 'drift';
