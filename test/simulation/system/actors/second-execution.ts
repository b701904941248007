/** Second executions for the same cluster, pool or machine, which take over leases that their holders still use. */
import { SFNClient, StartExecutionCommand } from '@aws-sdk/client-sfn';
import type { Table } from '../table.ts';
import type { World } from '../world.ts';

const SECOND = '-second';
/** The longest name that Step Functions allows. */
const MOST_CHARACTERS = 80;

interface Holding {
  holder?: string;
}

/**
 * Starts a second execution with another name and holder for each one that holds a lease. The leases expire just
 * before, as if the first executions had been held up for too long; they continue until they notice it. False if no
 * such execution is running.
 */
export const startSecond = async ({ world, table }: { world: World; table: Table }): Promise<boolean> => {
  const running = world.laptop.runtime
    .executions()
    .filter(({ status, name }) => status === 'RUNNING' && name.length + SECOND.length <= MOST_CHARACTERS)
    .map(({ name, machineArn, input }) => ({ name, machineArn, input: JSON.parse(input) as Holding }));
  const holding = running.filter(({ input, name }) => input.holder !== undefined && !name.endsWith(SECOND));
  if (holding.length === 0) return false;
  await table.expireLeases(new Set(holding.flatMap(({ input }) => input.holder ?? [])));
  const client = new SFNClient({});
  for (const { name, machineArn, input } of holding) {
    const second = { ...input, holder: `${input.holder}${SECOND}` };
    const request = { stateMachineArn: machineArn, name: `${name}${SECOND}`, input: JSON.stringify(second) };
    await client.send(new StartExecutionCommand(request)).catch((error: unknown) => {
      // A second execution of the same name was started earlier.
      if (!(error instanceof Error && error.name === 'ExecutionAlreadyExists')) throw error;
    });
  }
  client.destroy();
  return true;
};
