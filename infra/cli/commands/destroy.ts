import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { runCdk, stackNameIn } from './deploy.ts';

/** What the stack's guard answers to `Count`. */
interface Remaining {
  clusters: string[];
}

/** Calls the stack's own guard, which reads the table with its own permissions. Rejects if it cannot answer. */
const clustersOf = async (stack: string): Promise<string[]> => {
  const client = new LambdaClient();
  try {
    const Payload = Buffer.from(JSON.stringify({ RequestType: 'Count' }));
    const answer = await client.send(new InvokeCommand({ FunctionName: `${stack}-guard`, Payload }));
    const text = Buffer.from(answer.Payload ?? []).toString();
    if (answer.FunctionError) throw new Error(`the clusters of the stack ${stack} could not be counted: ${text}`);
    return (JSON.parse(text) as Remaining).clusters;
  } finally {
    client.destroy();
  }
};

const refusal = (stack: string, clusters: readonly string[]): string => `
The stack ${stack} stays: there are clusters.
${clusters.map((name) => `  ${name}`).join('\n')}
Delete them first (kubectl delete cluster --all -A). docs/deploy.md describes how to leave them behind.
`;

/**
 * Runs `cdk destroy` with the project's CDK, passing on further arguments, if no cluster is left; otherwise it lists
 * the clusters and does nothing: CloudFormation cannot change a stack whose deletion was refused. Resolves to the exit
 * code.
 */
export const destroy = async (args: readonly string[]): Promise<number> => {
  const stack = stackNameIn(args);
  const clusters = await clustersOf(stack);
  if (clusters.length === 0) return runCdk('destroy', args);
  process.stderr.write(refusal(stack, clusters));
  return 1;
};
