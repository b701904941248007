import * as sfn from '@aws-sdk/client-sfn';
import type { Clock } from '../../../../shared/clock.ts';
import type { Random } from '../../../../shared/random.ts';
import { type Engine, onlyKnown, type Resource, text } from '../../engine.ts';
import type { Vault } from '../../keep/vault.ts';
import type { LogLevel } from '../../meter/logs.ts';
import type { Meter } from '../../meter/meter.ts';
import type { Identity, Target } from '../../template.ts';
import type { EventBus } from '../events/bus.ts';
import type { WireServer } from '../wire/server.ts';
import { tasksOf } from './definition.ts';
import { type Execution, makeExecutions } from './executions.ts';
import { type KnownMachine, makeHandlers, runAgain } from './handlers.ts';
import { type InvokeFunction, makeMachine } from './machine.ts';
import { statusChangeOf } from './status-change.ts';

/** Tracing and the role have no effect on a laptop; the meter needs the level of logging. */
const KNOWN = [
  'DefinitionString',
  'LoggingConfiguration',
  'RoleArn',
  'StateMachineName',
  'StateMachineType',
  'TracingConfiguration',
];

export interface StatesEngine extends Engine {
  /** The kept executions, beginning with the newest. */
  executions(): readonly Execution[];
  /** The running definitions, by the name of the state machine. */
  definitions(): ReadonlyMap<string, string>;
  /** Runs the unfinished executions of an earlier start again. Call it once, when everything else runs. */
  resume(): void;
}

export interface StatesOptions {
  target: Target;
  wireServer: WireServer;
  invoke: InvokeFunction;
  meter: Pick<Meter, 'started' | 'happened'>;
  clock: Clock;
  random: Random;
  /** Called when executions start and end. */
  bus?: EventBus;
  /** The store in which executions are kept for the next start. */
  vault?: Vault;
}

const levelOf = ({ properties }: Resource): LogLevel =>
  (properties.LoggingConfiguration as { Level?: LogLevel } | undefined)?.Level ?? 'OFF';

/**
 * State machines run the template's own definition, which is interpreted; their API is served on the port of the
 * simulated AWS.
 */
export const statesEngine = (options: StatesOptions): StatesEngine => {
  const { target, wireServer, clock, random } = options;
  const machines = new Map<string, KnownMachine>();
  const levels = new Map<string, LogLevel>();
  const report = (execution: Execution): void => options.bus?.put(statusChangeOf(execution, target, random));
  const executions = makeExecutions(clock, {
    vault: options.vault,
    onChange: report,
    onEvent: (event, { arn, machineArn }) => {
      if (event.type === 'ExecutionStarted') options.meter.started();
      options.meter.happened(event, arn, levels.get(machineArn) ?? 'OFF');
    },
  });

  const arnOf = (name: string): string =>
    `arn:${target.partition}:states:${target.region}:${target.accountId}:stateMachine:${name}`;
  const interpret = (definition: string) => makeMachine(definition, tasksOf(definition), options.invoke);

  const create = (resource: Resource): Identity => {
    onlyKnown(resource, KNOWN);
    const name = text(resource, 'StateMachineName');
    const definition = text(resource, 'DefinitionString');
    if (resource.properties.StateMachineType === 'EXPRESS')
      throw new Error(`state machine "${name}": the laptop runs only Standard workflows`);
    const arn = arnOf(name);
    levels.set(arn, levelOf(resource));
    const run = interpret(definition);
    machines.set(arn, { arn, name, roleArn: text(resource, 'RoleArn'), definition, createdAt: clock.now(), run });
    return { ref: arn, attributes: { Arn: arn, Name: name } };
  };

  return {
    types: ['AWS::StepFunctions::StateMachine'],
    create,
    start: async () => {
      wireServer.add(sfn.SFNClient, sfn, makeHandlers({ machines, executions, random, clock, arnOf, interpret }));
    },
    stop: async () => {
      const running = executions.list().filter(({ status }) => status === 'RUNNING');
      for (const execution of running) execution.abort();
      await Promise.all(running.map(({ ended }) => ended));
    },
    resume: () => executions.resume((execution) => runAgain(machines, execution)),
    executions: () => executions.list(),
    definitions: () => new Map([...machines.values()].map(({ name, definition }) => [name, definition])),
  };
};
