/** The executions of all state machines: names that are used once, at most one of each, the latest kept. */
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
  /** Resolves when it has ended, however it ended. */
  ended: Promise<void>;
}

/** How many executions that have ended are kept with their history, over all machines. */
const KEPT = 2_000;

type FollowOptions = { clock: Clock } & Pick<ExecutionsOptions, 'onEvent'>;

/** Records the events of a run. Ends it when its history is full, and resolves with the outcome in that case. */
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
    // What the interpreter reports of the end that was made for it.
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

/** Follows a run to its end and records what it reports. */
const follow = async (execution: Execution, run: Run, options: FollowOptions): Promise<void> => {
  const recorded = record(execution, run, options);
  const own = await run.outcome;
  const outcome = (await recorded) ?? own;
  execution.status = outcome.status;
  execution.stopDate = options.clock.now();
  if (outcome.status === 'SUCCEEDED') execution.output = JSON.stringify(outcome.output ?? null);
  if (outcome.status === 'FAILED') Object.assign(execution, { error: outcome.error, cause: outcome.cause });
};

/** What the next start knows about an execution; null if only its name is still taken. */
type KeptExecution = Omit<Execution, 'abort' | 'ended' | 'events'> & { events: EngineEvent[] };

/** The executions of an earlier start, the oldest first. */
const restore = (vault: Vault): { known: Execution[]; names: string[] } => {
  const names = vault.names('');
  const known = names
    .flatMap((name) => vault.read<KeptExecution | null>(name) ?? [])
    .sort((a, b) => a.startDate.getTime() - b.startDate.getTime())
    .map((one): Execution => ({ ...one, abort: () => {}, ended: Promise.resolve() }));
  return { known, names };
};

export interface ExecutionsOptions {
  /** Told when an execution has begun, and when it has ended. */
  onChange?: (execution: Execution) => void;
  /** Told what happens in an execution. */
  onEvent?: (event: EngineEvent, execution: Execution) => void;
  /** Where executions outlive the process; what ran when it ended begins again with `resume`. */
  vault?: Vault;
}

export const makeExecutions = (clock: Clock, { onChange = () => {}, onEvent, vault }: ExecutionsOptions = {}) => {
  const byArn = new Map<string, Execution>();
  const ended: string[] = [];
  /** Names stay taken although the execution itself was dropped. */
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
  /** Lets an execution run from its first state. */
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
     * Runs again what ran when the process of an earlier start ended, under its name and with its input. Tasks are safe
     * to repeat, and a lease belongs to the name. `start` gives nothing for an execution whose machine is gone.
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
    /** Runs a new execution. The caller has seen that its name is free. */
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
    /** The kept executions of a machine, or of all, the newest first. */
    list: (machineArn?: string): Execution[] =>
      [...byArn.values()].filter((one) => machineArn === undefined || one.machineArn === machineArn).reverse(),
  };
};

export type Executions = ReturnType<typeof makeExecutions>;
