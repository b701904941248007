/** The executions of all state machines: each name is used at most once, and the latest executions are kept. */
import type { Clock } from '../../../../shared/clock.ts';
import type { Vault } from '../../keep/vault.ts';
import { countOf, type EngineEvent, historyIsFull, MOST_EVENTS } from './history.ts';
import type { Outcome, Run } from './machine.ts';

export interface Execution {
  arn: string;
  name: string;
  machineArn: string;
  input: string;
  startDate: Date;
  stopDate?: Date;
  status: 'RUNNING' | Outcome['status'];
  output?: string;
  error?: string;
  cause?: string;
  events: EngineEvent[];
  abort(): void;
  /** Resolves when it has ended, with any result. */
  ended: Promise<void>;
}

/** The number of ended executions that are kept with their history, for all machines together. */
const KEPT = 2_000;

type FollowOptions = { clock: Clock } & Pick<ExecutionsOptions, 'onEvent'>;

/** Records the events of a run. If its history is full, ends it, and resolves to the outcome. */
const record = async (
  execution: Execution,
  { abort, events }: Pick<Run, 'abort' | 'events'>,
  { clock, onEvent }: FollowOptions,
): Promise<Outcome | undefined> => {
  let count = 0;
  let failed: Outcome | undefined;
  const note = (event: EngineEvent): void => {
    execution.events.push(event);
    onEvent?.(event, execution);
  };
  for await (const event of events) {
    // The interpreter's report about the forced end is ignored.
    if (failed) continue;
    note(event);
    count += countOf(event);
    if (count < MOST_EVENTS || event.type === 'ExecutionSucceeded') continue;
    const full = historyIsFull(clock.now());
    note(full);
    failed = { status: 'FAILED', error: full.Error, cause: full.Cause };
    abort();
  }
  return failed;
};

/** Follows a run to its end and records its reports. */
const follow = async (execution: Execution, run: Run, options: FollowOptions): Promise<void> => {
  const recorded = record(execution, run, options);
  const own = await run.outcome;
  const outcome = (await recorded) ?? own;
  execution.status = outcome.status;
  execution.stopDate = options.clock.now();
  if (outcome.status === 'SUCCEEDED') execution.output = JSON.stringify(outcome.output ?? null);
  if (outcome.status === 'FAILED') Object.assign(execution, { error: outcome.error, cause: outcome.cause });
};

/** The data about an execution for the next start; null if only its name is still reserved. */
type KeptExecution = Omit<Execution, 'abort' | 'ended' | 'events'> & { events: EngineEvent[] };

/** The executions of an earlier start, beginning with the oldest. */
const restore = (vault: Vault): { known: Execution[]; names: string[] } => {
  const names = vault.names('');
  const known = names
    .flatMap((name) => vault.read<KeptExecution | null>(name) ?? [])
    .sort((a, b) => a.startDate.getTime() - b.startDate.getTime())
    .map((one): Execution => ({ ...one, abort: () => {}, ended: Promise.resolve() }));
  return { known, names };
};

export interface ExecutionsOptions {
  /** Called when an execution has begun, and when it has ended. */
  onChange?: (execution: Execution) => void;
  /** Called with the events of an execution. */
  onEvent?: (event: EngineEvent, execution: Execution) => void;
  /** The store in which executions outlive the process; unfinished ones begin again with `resume`. */
  vault?: Vault;
}

export const makeExecutions = (clock: Clock, { onChange = () => {}, onEvent, vault }: ExecutionsOptions = {}) => {
  const byArn = new Map<string, Execution>();
  const ended: string[] = [];
  /** Names stay reserved although the execution itself was dropped. */
  const taken = new Set<string>();

  const keep = (arn: string): void => {
    ended.push(arn);
    while (ended.length > KEPT) {
      const oldest = ended.shift() ?? '';
      byArn.delete(oldest);
      vault?.write(oldest, null);
    }
  };
  const write = ({ abort: _, ended: __, ...execution }: Execution): void => vault?.write(execution.arn, execution);
  const earlier = vault ? restore(vault) : { known: [], names: [] };
  for (const name of earlier.names) taken.add(name);
  for (const execution of earlier.known) {
    byArn.set(execution.arn, execution);
    if (execution.status !== 'RUNNING') keep(execution.arn);
  }
  /** Runs an execution from its first state. */
  const run = (execution: Execution, started: Run): void => {
    execution.abort = started.abort;
    execution.ended = follow(execution, started, { clock, onEvent }).then(() => {
      write(execution);
      keep(execution.arn);
      onChange(execution);
    });
  };

  return {
    /**
     * Runs the unfinished executions of an earlier start again, with their names and inputs. Tasks are safe to repeat,
     * and a lease belongs to the name. `start` returns undefined for an execution whose machine no longer exists.
     */
    resume: (start: (execution: Execution) => Run | undefined): void => {
      for (const execution of earlier.known.filter(({ status }) => status === 'RUNNING')) {
        const started = start(execution);
        execution.events = [];
        if (started) run(execution, started);
        else Object.assign(execution, { status: 'ABORTED', stopDate: clock.now() });
        write(execution);
      }
    },
    find: (arn: string): Execution | undefined => byArn.get(arn),
    isTaken: (arn: string): boolean => taken.has(arn),
    /** Runs a new execution. The caller has checked that its name is free. */
    add: (described: Pick<Execution, 'arn' | 'name' | 'machineArn' | 'input'>, start: () => Run): Execution => {
      const started = start();
      const execution: Execution = {
        ...described,
        startDate: clock.now(),
        status: 'RUNNING',
        events: [],
        abort: started.abort,
        ended: Promise.resolve(),
      };
      run(execution, started);
      byArn.set(execution.arn, execution);
      taken.add(execution.arn);
      write(execution);
      onChange(execution);
      return execution;
    },
    /** The kept executions of a machine, or of all machines, beginning with the newest. */
    list: (machineArn?: string): Execution[] =>
      [...byArn.values()].filter((one) => machineArn === undefined || one.machineArn === machineArn).reverse(),
  };
};

export type Executions = ReturnType<typeof makeExecutions>;
