import type { KeyGenerator } from '../../../shared/bootstrap/certificates/keys.ts';
import type { Clock } from '../../../shared/clock.ts';
import type { CallExtension } from '../../../shared/extensions/transport.ts';
import type { ObjectClient } from '../../../shared/kube-api/storage/client.ts';
import type { ContractKinds, OutsideKinds } from '../../../shared/outside/kinds.ts';
import type { Random } from '../../../shared/random.ts';
import type { ReporterStore } from '../../../shared/store/limits/reporters.ts';
import type { Executions, Touch } from '../../../shared/store/work/executions.ts';
import type { WorkStore } from '../../../shared/store/work/work.ts';

/** The dependencies of the object steps of a cluster's pass. */
export interface ObjectsDependencies {
  objects: ObjectClient;
  work: WorkStore;
  executions: Executions;
  touch: Touch;
  clock: Clock;
  random: Random;
  keys: KeyGenerator;
  /** The tokens that the function `changes` accepts; without it, the API servers of clusters report nothing. */
  reporters?: Pick<ReporterStore, 'get' | 'trust'>;
  /** The kinds of external providers that are defined; none if absent. */
  outsideKinds?: OutsideKinds;
  /** The definitions of these kinds in all versions, for topologies; none if absent. */
  contractKinds?: ContractKinds;
  /** Calls extensions of topologies; if absent, there are none. */
  callExtension?: CallExtension;
}
