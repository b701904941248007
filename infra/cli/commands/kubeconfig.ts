import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { throughProxy } from '../api/proxy.ts';
import { deployedKubeconfig, deployedOf } from '../kubeconfig/deployed.ts';

/** If no region is known, throws an error that says what to do: the SDK's own message only says that it is missing. */
const regionOf = async ({ config }: CloudFormationClient): Promise<string> => {
  try {
    return await config.region();
  } catch (error) {
    throw new Error('the region of the stack is not known: set AWS_REGION, or region in your AWS profile', {
      cause: error,
    });
  }
};

/** Prints the kubeconfig of a stack, in the account and region of the caller's AWS credentials. */
export const kubeconfig = async ({ stack, role }: { stack: string; role?: string }): Promise<number> => {
  const client = new CloudFormationClient(throughProxy());
  await regionOf(client);
  try {
    const { Stacks = [] } = await client.send(new DescribeStacksCommand({ StackName: stack }));
    process.stdout.write(deployedKubeconfig(deployedOf(stack, Stacks[0] ?? {}, role)));
    return 0;
  } finally {
    client.destroy();
  }
};
