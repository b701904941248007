import { InvokeCommand, LambdaClient, ResourceNotFoundException } from '@aws-sdk/client-lambda';
import { readCdkArguments } from './cdk-arguments.ts';
import { placeOf, runCdk, stackNameIn } from './deploy.ts';

/** The answer of the stack's guard to `Count`. */
interface Remaining {
  clusters: string[];
}

/**
 * Calls the stack's own guard, which reads the table with its own permissions. Undefined if there is no guard; rejects if
 * it cannot answer.
 */
const clustersOf = async (stack: string, client: LambdaClient): Promise<string[] | undefined> => {
  try {
    const Payload = Buffer.from(JSON.stringify({ RequestType: 'Count' }));
    const answer = await client.send(new InvokeCommand({ FunctionName: `${stack}-guard`, Payload }));
    const text = Buffer.from(answer.Payload ?? []).toString();
    if (answer.FunctionError) throw new Error(`the clusters of the stack ${stack} could not be counted: ${text}`);
    return (JSON.parse(text) as Remaining).clusters;
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return undefined;
    throw error;
  } finally {
    client.destroy();
  }
};

const refusal = (stack: string, clusters: readonly string[]): string => `
The stack ${stack} stays: there are clusters.
${clusters.map((name) => `  ${name}`).join('\n')}
Delete them first (kubectl delete cluster --all -A). docs/deploy.md describes how to leave them behind.
`;

const withoutGuard = (stack: string): string =>
  `The function ${stack}-guard, which counts the clusters, does not exist: the stack ${stack} was never complete, is partly deleted, or is elsewhere.\n`;

/**
 * Runs `cdk destroy` with the project's CDK and passes further arguments on, if no cluster is left. Otherwise lists the
 * clusters and does nothing, because CloudFormation cannot change a stack whose deletion was refused. A stack without a
 * guard is one whose creation or deletion failed halfway: CloudFormation asks the guard and deletes it before
 * everything else. Resolves to the exit code.
 */
export const destroy = async (args: readonly string[], run = runCdk): Promise<number> => {
  const read = readCdkArguments(args);
  if (read.help) return run('destroy', args);
  const stack = stackNameIn(args);
  const clusters = await clustersOf(stack, new LambdaClient(placeOf(read)));
  if (clusters === undefined) process.stderr.write(withoutGuard(stack));
  if (clusters === undefined || clusters.length === 0) return run('destroy', args);
  process.stderr.write(refusal(stack, clusters));
  return 1;
};
