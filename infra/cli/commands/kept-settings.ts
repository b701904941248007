/**
 * Settings that a deployment must repeat. A stack with a restored table, which is not its own, would get a new and
 * empty table if the next deployment left out the setting: all objects would disappear from the API.
 */
import { type CloudFormationClient, DescribeStackResourceCommand } from '@aws-sdk/client-cloudformation';
import { GetFunctionConfigurationCommand, type LambdaClient } from '@aws-sdk/client-lambda';
import { ENV } from '../../../shared/config.ts';

/** The settings: the function's variable with the value in use, and the stack's own resource without the setting. */
export const KEPT = {
  tableName: { variable: ENV.table, logicalId: 'ObjectsA92BA4F1' },
  sealKeyArn: { variable: ENV.sealKey, logicalId: 'SealKey94782D95' },
} as const;

type Kept = keyof typeof KEPT;

export interface KeptClients {
  lambda: Pick<LambdaClient, 'send' | 'destroy'>;
  cloudFormation: Pick<CloudFormationClient, 'send' | 'destroy'>;
}

/** CloudFormation's id of a table or a key. */
const idOf = (value: string): string => value.split('/').at(-1) ?? value;

/** The stack's own table or key; undefined if it has none, which CloudFormation reports as an error. */
const ownOf = async ({ cloudFormation }: KeptClients, stack: string, setting: Kept): Promise<string | undefined> => {
  try {
    const LogicalResourceId = KEPT[setting].logicalId;
    const command = new DescribeStackResourceCommand({ StackName: stack, LogicalResourceId });
    return (await cloudFormation.send(command)).StackResourceDetail?.PhysicalResourceId;
  } catch (error) {
    // The error is the same if the stack does not exist.
    if (error instanceof Error && error.name === 'ValidationError' && error.message.startsWith('Resource '))
      return undefined;
    throw error;
  }
};

const valuesInUse = async ({ lambda }: KeptClients, stack: string): Promise<Readonly<Record<string, string>>> => {
  const command = new GetFunctionConfigurationCommand({ FunctionName: `${stack}-api` });
  return (await lambda.send(command)).Environment?.Variables ?? {};
};

/**
 * The settings that a deployment leaves out, as `name=value`. `unchecked`: the reason why this list may be incomplete.
 */
interface Forgotten {
  settings: string[];
  unchecked?: string;
}

/**
 * Settings that a stack has and that `given` does not name, as `name=value`; none if the stack does not exist yet.
 * `unchecked`: the reason if the stack's function cannot be read, for example without permission. Closes the clients.
 */
export const forgottenSettings = async (
  clients: KeptClients,
  stack: string,
  given: (setting: Kept) => boolean,
): Promise<Forgotten> => {
  const missing = (Object.keys(KEPT) as Kept[]).filter((setting) => !given(setting));
  const settings: string[] = [];
  try {
    const values = missing.length === 0 ? {} : await valuesInUse(clients, stack);
    for (const setting of missing) {
      const value = values[KEPT[setting].variable];
      if (value === undefined || (await ownOf(clients, stack, setting)) === idOf(value)) continue;
      settings.push(`${setting}=${value}`);
    }
    return { settings };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return { settings, ...(error.name === 'ResourceNotFoundException' ? {} : { unchecked: error.message }) };
  } finally {
    clients.lambda.destroy();
    clients.cloudFormation.destroy();
  }
};
