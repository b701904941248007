/** The Step Functions API for the executions on the laptop, with the service's messages and errors. */
import type * as sfn from '@aws-sdk/client-sfn';
import type { Clock } from '../../../../shared/clock.ts';
import type { Random } from '../../../../shared/random.ts';
import { AwsFault, notSimulated, onlySimulated } from '../wire/fault.ts';
import type { Handlers } from '../wire/handlers.ts';
import type { Execution, Executions } from './executions.ts';
import { historyOf } from './history.ts';
import { PAYLOAD_LIMIT, type Run } from './machine.ts';

/** A state machine of the template. */
export interface KnownMachine {
  arn: string;
  name: string;
  roleArn: string;
  /** The template's definition, byte for byte, with resolved references. */
  definition: string;
  createdAt: Date;
  run(input: unknown, context: Readonly<Record<string, unknown>>): Run;
}

const NAME = /^[^\s<>{}[\]?*"#%\\^|~`$&,;:/\p{Cc}]{1,80}$/u;

const fault = (code: string, message: string): AwsFault => new AwsFault(code, message, 400);

const parseInput = (input: string): unknown => {
  if (Buffer.byteLength(input) > PAYLOAD_LIMIT)
    throw fault('InvalidExecutionInput', `Invalid State Machine Execution Input: larger than ${PAYLOAD_LIMIT} bytes`);
  try {
    return JSON.parse(input) as unknown;
  } catch {
    throw fault('InvalidExecutionInput', 'Invalid State Machine Execution Input: not valid JSON');
  }
};

const described = (execution: Execution): sfn.DescribeExecutionCommandOutput =>
  ({
    executionArn: execution.arn,
    stateMachineArn: execution.machineArn,
    name: execution.name,
    status: execution.status,
    startDate: execution.startDate,
    stopDate: execution.stopDate,
    input: execution.input,
    output: execution.output,
    error: execution.error,
    cause: execution.cause,
  }) as sfn.DescribeExecutionCommandOutput;

/** A page of `items`; the token is the index at which the next page begins. */
const page = <T>(items: readonly T[], size: number, token: string | undefined): { part: T[]; nextToken?: string } => {
  const from = Number(token ?? 0);
  if (!Number.isInteger(from) || from < 0 || from > items.length)
    throw fault('InvalidToken', `Invalid Token: '${token}'`);
  const end = from + size;
  return { part: items.slice(from, end), nextToken: end < items.length ? String(end) : undefined };
};

/** The dependencies of the handlers. */
export interface Service {
  machines: Map<string, KnownMachine>;
  executions: Executions;
  random: Random;
  clock: Clock;
  arnOf(name: string): string;
  /** Returns the function that runs a definition. Throws an Error that names unsupported parts. */
  interpret(definition: string): KnownMachine['run'];
}

const machineOf = ({ machines }: Service, arn: string | undefined): KnownMachine => {
  const found = machines.get(arn ?? '');
  if (found === undefined) throw fault('StateMachineDoesNotExist', `State Machine Does Not Exist: '${arn}'`);
  return found;
};

const executionOf = ({ executions }: Service, arn: string | undefined): Execution => {
  const found = executions.find(arn ?? '');
  if (found === undefined) throw fault('ExecutionDoesNotExist', `Execution Does Not Exist: '${arn}'`);
  return found;
};

const contextOf = (machine: KnownMachine, { arn, name }: Pick<Execution, 'arn' | 'name'>) => ({
  Execution: { Id: arn, Name: name, RoleArn: machine.roleArn },
  StateMachine: { Id: machine.arn, Name: machine.name },
});

/** The run of an execution that an earlier start did not finish; undefined if its machine no longer exists. */
export const runAgain = (machines: ReadonlyMap<string, KnownMachine>, execution: Execution): Run | undefined => {
  const machine = machines.get(execution.machineArn);
  return machine?.run(parseInput(execution.input), contextOf(machine, execution));
};

const start = (
  service: Service,
  { stateMachineArn, name = service.random.uuid(), input = '{}' }: sfn.StartExecutionCommandInput,
): Omit<sfn.StartExecutionCommandOutput, '$metadata'> => {
  const { executions } = service;
  const machine = machineOf(service, stateMachineArn);
  if (!NAME.test(name)) throw fault('InvalidName', `Invalid Name: '${name}'`);
  const value = parseInput(input);
  const arn = `${machine.arn.replace(':stateMachine:', ':execution:')}:${name}`;
  const known = executions.find(arn);
  if (known?.status === 'RUNNING' && known.input === input)
    return { executionArn: known.arn, startDate: known.startDate };
  if (executions.isTaken(arn)) throw fault('ExecutionAlreadyExists', `Execution Already Exists: '${arn}'`);
  const execution = executions.add({ arn, name, machineArn: machine.arn, input }, () =>
    machine.run(value, contextOf(machine, { arn, name })),
  );
  return { executionArn: arn, startDate: execution.startDate };
};

const stop = async (service: Service, { executionArn, error, cause }: sfn.StopExecutionCommandInput) => {
  const execution = executionOf(service, executionArn);
  if (execution.status === 'RUNNING') {
    execution.abort();
    await execution.ended;
    Object.assign(execution, { error, cause });
  }
  return { stopDate: execution.stopDate };
};

const interpret = (service: Service, definition: string): KnownMachine['run'] => {
  try {
    return service.interpret(definition);
  } catch (error) {
    throw fault('InvalidDefinition', `Invalid State Machine Definition: '${(error as Error).message}'`);
  }
};

/** A repeated call changes nothing. */
const create = (service: Service, input: sfn.CreateStateMachineCommandInput) => {
  onlySimulated('CreateStateMachine', input, ['name', 'definition', 'roleArn', 'type']);
  const { name = '', definition = '', roleArn = '', type = 'STANDARD' } = input;
  if (!NAME.test(name)) throw fault('InvalidName', `Invalid Name: '${name}'`);
  if (type !== 'STANDARD') throw notSimulated(`a state machine of type ${type}`);
  const arn = service.arnOf(name);
  const known = service.machines.get(arn);
  if (known && (known.definition !== definition || known.roleArn !== roleArn))
    throw fault('StateMachineAlreadyExists', `State Machine Already Exists: '${arn}'`);
  const run = interpret(service, definition);
  const createdAt = known?.createdAt ?? service.clock.now();
  service.machines.set(arn, { arn, name, roleArn, definition, createdAt, run });
  return { stateMachineArn: arn, creationDate: createdAt };
};

/** Running executions keep the definition with which they were started. */
const update = (service: Service, input: sfn.UpdateStateMachineCommandInput) => {
  onlySimulated('UpdateStateMachine', input, ['stateMachineArn', 'definition', 'roleArn']);
  const machine = machineOf(service, input.stateMachineArn);
  const { definition = machine.definition, roleArn = machine.roleArn } = input;
  service.machines.set(machine.arn, { ...machine, definition, roleArn, run: interpret(service, definition) });
  return { updateDate: service.clock.now(), revisionId: service.random.uuid() };
};

const list = (service: Service, input: sfn.ListExecutionsCommandInput) => {
  onlySimulated('ListExecutions', input, ['stateMachineArn', 'statusFilter', 'maxResults', 'nextToken']);
  const { arn } = machineOf(service, input.stateMachineArn);
  const all = service.executions.list(arn);
  const wanted = all.filter(({ status }) => !input.statusFilter || status === input.statusFilter);
  const { part, nextToken } = page(wanted, input.maxResults || 100, input.nextToken);
  const executions = part.map(({ name, status, startDate, stopDate, arn: executionArn }) => ({
    executionArn,
    stateMachineArn: arn,
    name,
    status,
    startDate,
    stopDate,
  }));
  return { executions, nextToken };
};

const history = (service: Service, input: sfn.GetExecutionHistoryCommandInput) => {
  const known = ['executionArn', 'maxResults', 'reverseOrder', 'nextToken', 'includeExecutionData'];
  onlySimulated('GetExecutionHistory', input, known);
  const all = historyOf(executionOf(service, input.executionArn).events);
  const { part, nextToken } = page(input.reverseOrder ? all.reverse() : all, input.maxResults || 100, input.nextToken);
  return { events: part, nextToken };
};

const listed = ({ arn, name, createdAt }: KnownMachine) => ({
  stateMachineArn: arn,
  name,
  type: 'STANDARD' as const,
  creationDate: createdAt,
});

/** The operations on the machines and executions of one runtime. */
export const makeHandlers = (service: Service): Handlers<typeof sfn> => {
  const { machines } = service;
  return {
    StartExecution: (input) => {
      onlySimulated('StartExecution', input, ['stateMachineArn', 'name', 'input', 'traceHeader']);
      return start(service, input);
    },
    DescribeExecution: ({ executionArn }) => described(executionOf(service, executionArn)),
    ListExecutions: (input) => list(service, input),
    StopExecution: (input) => stop(service, input),
    GetExecutionHistory: (input) => history(service, input),
    DescribeStateMachine: ({ stateMachineArn }) => {
      const machine = machineOf(service, stateMachineArn);
      const { roleArn, definition } = machine;
      return { ...listed(machine), roleArn, definition, status: 'ACTIVE' };
    },
    CreateStateMachine: (input) => create(service, input),
    UpdateStateMachine: (input) => update(service, input),
    ListStateMachines: (input) => {
      const { part, nextToken } = page([...machines.values()], input.maxResults || 100, input.nextToken);
      return { stateMachines: part.map(listed), nextToken };
    },
  };
};
