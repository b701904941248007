/** Events around the functions in the middle of a lifecycle: in the account, on the event bus, and by users. */

import { terminate } from '../../../../infra/local/engines/ec2/instances/state.ts';
import type { Instance } from '../../../../infra/local/engines/ec2/records.ts';
import { AwsFault } from '../../../../infra/local/engines/wire/fault.ts';
import type { Cluster } from '../../../../shared/kinds/index.ts';
import type { Call } from '../faults/faults.ts';
import type { HappeningKind } from '../faults/kinds.ts';
import { admitWhile } from '../faults/refusals.ts';
import type { Sending } from '../faults/strikes.ts';
import type { Table } from '../table.ts';
import { CLUSTER, type User } from '../user.ts';
import { liveInstances } from '../verdicts/judge.ts';
import {
  announceRetirement,
  instanceOfFirst,
  numberOfWorkers,
  replacedWorkers,
  scaleWorkers,
  warn,
} from '../workers.ts';
import type { World } from '../world.ts';
import { expendableMachine, killMachine } from './control-plane-death.ts';
import { copyClass, copyCluster, copyGroups, copyInfrastructure } from './copies.ts';
import { deleteEverything } from './everything.ts';
import { HOSTILE_INSTANCES } from './forgeries.ts';
import { deleteHeld } from './held-drain.ts';
import { attack } from './hostile-editor.ts';
import { CONCURRENCY_MILLISECONDS, makeLasting, WHILE_MILLISECONDS } from './lasting.ts';
import { restoreTable } from './restoration.ts';
import { startSecond } from './second-execution.ts';
import { copyWholeCluster } from './twin.ts';

const STALE_MILLISECONDS = 20_000;
/** Longer than an intent is valid. EC2's documentation mentions up to five minutes. */
const STALE_FOR_MINUTES_MILLISECONDS = 240_000;
/** Longer than the SDK retries, but shorter than a step may take. */
const THROTTLED_MILLISECONDS = 10_000;
/** Longer than most steps are retried. */
const FAILING_MILLISECONDS = 120_000;
/** Several requests to the cluster time out, one after the other. */
const HANGING_MILLISECONDS = 120_000;
const TWIN_MILLISECONDS = 240_000;
/** The time between EC2's warning and the interruption of an instance. */
const WARNING_MILLISECONDS = 120_000;

interface Place {
  world: World;
  user: User;
  table: Table;
}

export interface SceneOptions {
  wait(milliseconds: number): Promise<void>;
  /** Whether the user is in the middle of a step; meanwhile, others do not interfere. */
  isActing(): boolean;
  /** Called with the reason if an event could not happen. */
  accuse(breaches: readonly string[]): void;
  /** Called when objects have an earlier state again. */
  onRestored(): void;
  /** Determines what exactly some events do. */
  seed: number;
}

/** Creates the events of a lifecycle. */
export const makeScene = ({ wait, isActing, accuse, onRestored, seed }: SceneOptions) => {
  let place: Place | undefined;
  const { isOn, affects, last, distort, lag } = makeLasting({ wait, seed });
  const state = {
    extraInstances: 0,
    isDeleted: false,
    open: 0,
    isRestoring: false,
    isAttacked: false,
    hasCopies: false,
    hasTwin: false,
    isScaled: false,
  };
  let isTableHeld = false;
  const isRestoring = (): boolean => state.isRestoring;
  const expectMore = (machines: number): void => {
    state.extraInstances += machines;
  };
  const copying = (user: User) => ({ user, wait, isRestoring, milliseconds: WHILE_MILLISECONDS });
  /**
   * The newest live instance of a worker that something replaces. The replacement may exist before this instance ends.
   */
  const victim = async ({ world, user }: Place): Promise<Instance | undefined> => {
    const one = instanceOfFirst(await replacedWorkers(user), world.account);
    if (one) state.extraInstances += 1;
    return one;
  };

  const hasCluster = async (user: User): Promise<boolean> =>
    !state.isDeleted && (await user.list<Cluster>('Cluster')).some(({ metadata }) => !metadata.deletionTimestamp);

  /** Resolves to whether there was anything to do. */
  type Act = (given: Place) => Promise<boolean>;
  const ofUser =
    (act: Act): Act =>
    async (given) => {
      while (isActing()) await wait(1_000);
      return (await hasCluster(given.user)) && act(given);
    };
  /** A fault that lasts for some time. */
  const lasting =
    (kind: HappeningKind, milliseconds?: number): Act =>
    () =>
      last(kind, milliseconds);

  const ACTS: Readonly<Record<HappeningKind, Act>> = {
    sweep: async ({ world }) => {
      await world.laptop.runtime.invoke('Windlass-drift', {}).catch(() => undefined);
      return true;
    },
    'events twice': lasting('events twice'),
    'events late': lasting('events late'),
    'events lost': lasting('events lost'),
    'no capacity': lasting('no capacity'),
    'quota reached': lasting('quota reached'),
    'AWS fails': lasting('AWS fails'),
    'table throttled': lasting('table throttled', THROTTLED_MILLISECONDS),
    'table fails': lasting('table fails', FAILING_MILLISECONDS),
    'Step Functions fails': lasting('Step Functions fails', FAILING_MILLISECONDS),
    'no concurrency': lasting('no concurrency', CONCURRENCY_MILLISECONDS),
    'API hangs': lasting('API hangs', HANGING_MILLISECONDS),
    'stale describes': ({ world }) => lag(world.account, 'stale describes', STALE_MILLISECONDS),
    'stale for minutes': ({ world }) => lag(world.account, 'stale for minutes', STALE_FOR_MINUTES_MILLISECONDS),
    'outdated describes': lasting('outdated describes'),
    'second execution': startSecond,
    'worker instance dies': async (given) => {
      const one = await victim(given);
      if (one) terminate(given.world.account.ec2(), one);
      return one !== undefined;
    },
    'worker instance reclaimed': async (given) => {
      const one = await victim(given);
      if (!one) return false;
      const { account } = given.world;
      warn(account, one);
      await wait(WARNING_MILLISECONDS);
      if (liveInstances(account).includes(one)) terminate(account.ec2(), one);
      return true;
    },
    'worker instance retires': async (given) => {
      const one = await victim(given);
      if (one) announceRetirement(given.world.account, one);
      return one !== undefined;
    },
    'control plane instance dies': ofUser(async ({ world, user }) => {
      const machine = await expendableMachine(user);
      if (machine === undefined) return false;
      state.extraInstances += 1;
      await killMachine(machine, { account: world.account, user, wait });
      return true;
    }),
    'cluster deleted': ofUser(async ({ user }) => {
      state.isDeleted = true;
      await user.remove('Cluster', CLUSTER);
      return true;
    }),
    'everything deleted': ofUser(async ({ user }) => {
      state.isDeleted = true;
      await deleteEverything(user);
      return true;
    }),
    'cluster paused': ofUser(async ({ user }) => {
      await user.patch('Cluster', CLUSTER, { spec: { paused: true } });
      await wait(WHILE_MILLISECONDS);
      // A paused cluster that was deleted meanwhile remains until a user resumes it.
      await user.patch('Cluster', CLUSTER, { spec: { paused: false } }).catch(async (error: unknown) => {
        if ((await user.list('Cluster')).length > 0) throw error;
      });
      return true;
    }),
    'workers scaled': ofUser(async ({ user }) => {
      const replicas = await numberOfWorkers(user);
      // If two changes overlapped, the last one would restore the additional worker of the other.
      if (replicas === undefined || state.isScaled) return false;
      state.isScaled = true;
      state.extraInstances += 1;
      await scaleWorkers(user, replicas + 1);
      await wait(WHILE_MILLISECONDS);
      // A restoration would undo this change.
      while (isActing() || isRestoring()) await wait(1_000);
      if (await hasCluster(user)) await scaleWorkers(user, replicas);
      state.isScaled = false;
      return true;
    }),
    'worker deleted': ofUser(async ({ user }) => {
      const [worker] = await replacedWorkers(user);
      if (worker === undefined) return false;
      state.extraInstances += 1;
      await user.remove('Machine', worker.metadata.name);
      return true;
    }),
    'drain held': ofUser(async ({ user }) => {
      const [worker] = await replacedWorkers(user);
      if (worker === undefined) return false;
      state.extraInstances += 1;
      await deleteHeld(worker.metadata.name, { user, wait });
      return true;
    }),
    'copies deleted': ofUser(async ({ user }) => {
      const [worker] = await replacedWorkers(user);
      return copyCluster(worker, copying(user));
    }),
    'copied groups deleted': ofUser(({ user }) => copyGroups(expectMore, copying(user))),
    'copied class deleted': ofUser(({ user }) => copyClass(copying(user))),
    'whole cluster copied': ofUser(async ({ user }) => {
      // Restoring the table to a state before the second cluster would remove its objects, and only an operator could
      // find its resources.
      if (state.hasTwin || state.isRestoring) return false;
      state.hasTwin = true;
      await copyWholeCluster(expectMore, { ...copying(user), milliseconds: TWIN_MILLISECONDS });
      state.hasTwin = false;
      return true;
    }),
    'held copies deleted': ofUser(async ({ user }) => {
      state.hasCopies = true;
      const { copies, released } = await copyInfrastructure(copying(user));
      released
        .catch((error: unknown) => accuse([`held copies: ${error}`]))
        .finally(() => {
          state.hasCopies = false;
        });
      return copies > 0;
    }),
    'hostile editor': async ({ world, user }) => {
      const [cluster] = await user.list<Cluster>('Cluster');
      if (state.isAttacked) return false;
      state.isAttacked = true;
      state.extraInstances += HOSTILE_INSTANCES;
      await attack({ world, wait, uid: cluster?.metadata.uid ?? '' });
      state.isAttacked = false;
      return true;
    },
    deployment: async ({ world }) => {
      await world.deploy(wait);
      return true;
    },
    'table restored': ofUser(async (given) => {
      state.isRestoring = true;
      return restoreTable({
        ...given,
        wait,
        hold: (isHeld) => {
          isTableHeld = isHeld;
        },
        hasCluster: async () => {
          while (isActing()) await wait(1_000);
          return hasCluster(given.user);
        },
        onRestored: () => {
          state.extraInstances += liveInstances(given.world.account).length;
          onRestored();
        },
      }).finally(() => {
        state.isRestoring = false;
      });
    }),
  };

  return {
    state,
    isOn,
    affects,
    /** Must be called before any event. */
    enter: (world: World, user: User, table: Table): void => {
      place = { world, user, table };
      distort(world.account.bus);
    },
    /** `onIdle` is called if there was nothing to do. */
    happen: (kind: HappeningKind, onIdle: () => void = () => {}): void => {
      if (place === undefined) return;
      state.open += 1;
      ACTS[kind](place)
        .then((isDone) => isDone || onIdle())
        .catch((error: unknown) => state.isDeleted || accuse([`${kind}: ${error}`]))
        .finally(() => {
          state.open -= 1;
        });
    },
    /** Sends a request to the workload cluster's API server, now or when it responds again, unless it is refused. */
    reach: async ({ request, send }: Pick<Sending, 'request' | 'send'>, isRefused: () => boolean): Promise<void> => {
      while (affects('API hangs')) await wait(1_000);
      if (!request.destroyed && !isRefused()) send();
    },
    /** Throws if AWS refuses the call. */
    admit: (call: Call): void => {
      if (isTableHeld && call.service === 'dynamodb')
        throw new AwsFault('InternalServerError', 'The request could not be processed.', 500);
      admitWhile(affects, call);
    },
  };
};

export type Scene = ReturnType<typeof makeScene>;
