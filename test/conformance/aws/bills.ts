/** Counts requests to AWS as the implementations that served them do, for comparison with the meter. */
import {
  GetExecutionHistoryCommand,
  ListExecutionsCommand,
  ListStateMachinesCommand,
  SFNClient,
} from '@aws-sdk/client-sfn';
import type { LaptopOptions } from '../../../infra/cli/laptop.ts';
import type { TestLaptop } from '../../end-to-end/laptop.ts';
import type { RecordedCall } from './relay.ts';

const READS = new Set(['GetItem', 'BatchGetItem', 'Query', 'Scan']);

/**
 * Capacity units as DynamoDB itself counts them, including those of indexes. A write whose condition fails consumes
 * one.
 */
export const unitsOf = (calls: readonly RecordedCall[]): { reads: number; writes: number } => {
  const units = { reads: 0, writes: 0 };
  for (const { operation, code, output } of calls) {
    const kind = READS.has(operation) ? 'reads' : 'writes';
    if (code === 'ConditionalCheckFailedException') units.writes += 1;
    if (code !== undefined) continue;
    const { ConsumedCapacity } = JSON.parse(output) as { ConsumedCapacity?: unknown };
    const capacities = [ConsumedCapacity ?? []].flat() as { CapacityUnits?: number }[];
    for (const { CapacityUnits = 0 } of capacities) units[kind] += CapacityUnits;
  }
  return units;
};

type OnCall = NonNullable<NonNullable<LaptopOptions['calls']>['onCall']>;

/**
 * The simulated account's own log of the calls that it has served: all calls of functions, and all calls to Secrets
 * Manager.
 */
export const accountLog = () => {
  const counts = new Map<string, number>();
  const take: OnCall = ({ service, functionName }) => {
    if (functionName !== undefined || service === 'secretsmanager') counts.set(service, (counts.get(service) ?? 0) + 1);
  };
  return {
    take,
    count: (service: string): number => counts.get(service) ?? 0,
    /** Calls to all services except these. */
    countWithout: (...services: string[]): number =>
      [...counts].reduce((sum, [service, count]) => sum + (services.includes(service) ? 0 : count), 0),
  };
};

/** State transitions according to the execution histories of the Step Functions API: entered states and retries. */
export const transitionsIn = async ({ access }: TestLaptop): Promise<number> => {
  const { region, awsUrl: endpoint, credentials } = access;
  const client = new SFNClient({ region, endpoint, credentials });
  const transitionsOf = async (executionArn: string | undefined): Promise<number> => {
    const types: string[] = [];
    let nextToken: string | undefined;
    do {
      const page = await client.send(new GetExecutionHistoryCommand({ executionArn, nextToken, maxResults: 1000 }));
      types.push(...(page.events ?? []).map(({ type = '' }) => type));
      nextToken = page.nextToken;
    } while (nextToken);
    const count = (wanted: RegExp): number => types.filter((type) => wanted.test(type)).length;
    // A task is scheduled again for each retry.
    return count(/StateEntered$/) + count(/^LambdaFunctionScheduled$/) - count(/^TaskStateEntered$/);
  };
  try {
    const { stateMachines = [] } = await client.send(new ListStateMachinesCommand({}));
    let sum = 0;
    for (const { stateMachineArn } of stateMachines) {
      const { executions = [] } = await client.send(new ListExecutionsCommand({ stateMachineArn, maxResults: 1000 }));
      for (const { executionArn } of executions) sum += await transitionsOf(executionArn);
    }
    return sum;
  } finally {
    client.destroy();
  }
};
