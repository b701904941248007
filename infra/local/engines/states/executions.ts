/** The executions of all state machines: names that are used once, at most one of each, the latest kept. */
import type { Clock } from '../../../../shared/clock.ts';
import type { Vault } from '../../keep/vault.ts';
import type { EngineEvent } from './history.ts';
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

/** Follows a run to its end and writes down what it says. */
const follow = async (execution: Execution, run: Run, clock: Clock): Promise<void> => {
  const events = (async () => {
    for await (const event of run.events) execution.events.push(event);
  })();
  const outcome = await run.outcome;
  await events;
  execution.status = outcome.status;
  execution.stopDate = clock.now();
  if (outcome.status === 'SUCCEEDED') execution.output = JSON.stringify(outcome.output ?? null);
  if (outcome.status === 'FAILED') Object.assign(execution, { error: outcome.error, cause: outcome.cause });
};

/** What the next start knows of an execution; null where only its name is still taken. */
type KeptExecution = Omit<Execution, 'abort' | 'ended' | 'events'> & { events: EngineEvent[] };

const LOST = 'The laptop was stopped while the execution ran.';

/** The executions of an earlier start, the oldest first. Those that ran then are aborted. */
const restore = (vault: Vault, clock: Clock): { known: Execution[]; names: string[]; lost: Execution[] } => {
  const names = vault.names('');
  const kept = names.flatMap((name) => vault.read<KeptExecution | null>(name) ?? []);
  const known = kept
    .sort((a, b) => a.startDate.getTime() - b.startDate.getTime())
    .map((one): Execution => ({ ...one, abort: () => {}, ended: Promise.resolve() }));
  const lost = known.filter(({ status }) => status === 'RUNNING');
  for (const execution of lost) Object.assign(execution, { status: 'ABORTED', stopDate: clock.now(), cause: LOST });
  return { known, names, lost };
};

/**
 * `onChange` is called when an execution has begun, and when it has ended. With a vault, executions outlive the process;
 * what ran when it ended is ABORTED in the next, which `lost` names.
 */
export const makeExecutions = (clock: Clock, onChange: (execution: Execution) => void = () => {}, vault?: Vault) => {
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
  const earlier = vault ? restore(vault, clock) : { known: [], names: [], lost: [] };
  for (const name of earlier.names) taken.add(name);
  for (const execution of earlier.known) {
    byArn.set(execution.arn, execution);
    write(execution);
    keep(execution.arn);
  }

  return {
    /** Those that ran when the process of an earlier start ended. */
    lost: earlier.lost,
    find: (arn: string): Execution | undefined => byArn.get(arn),
    isTaken: (arn: string): boolean => taken.has(arn),
    /** Runs a new execution. The caller has seen that its name is free. */
    add: (described: Pick<Execution, 'arn' | 'name' | 'machineArn' | 'input'>, start: () => Run): Execution => {
      const run = start();
      const execution: Execution = {
        ...described,
        startDate: clock.now(),
        status: 'RUNNING',
        events: [],
        abort: run.abort,
        ended: Promise.resolve(),
      };
      execution.ended = follow(execution, run, clock).then(() => {
        write(execution);
        keep(execution.arn);
        onChange(execution);
      });
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
