import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { deployedKubeconfig, deployedOf } from '../kubeconfig/deployed.ts';

/** Prints the kubeconfig of a stack, in the account and region of the caller's AWS credentials. */
export const kubeconfig = async ({ stack, role }: { stack: string; role?: string }): Promise<number> => {
  const client = new CloudFormationClient();
  try {
    const { Stacks = [] } = await client.send(new DescribeStacksCommand({ StackName: stack }));
    process.stdout.write(deployedKubeconfig(deployedOf(stack, Stacks[0] ?? {}, role)));
    return 0;
  } finally {
    client.destroy();
  }
};
