import { stringify } from 'yaml';

/** What a client must know about a deployed stack: two of its outputs, and the account, region and role for tokens. */
export interface Deployed {
  stackName: string;
  server: string;
  clusterId: string;
  region: string;
  roleArn: string;
}

/** A kubeconfig whose user gets tokens from `aws eks get-token`. It contains no secrets. */
export const deployedKubeconfig = ({ stackName, server, clusterId, region, roleArn }: Deployed): string => {
  const name = stackName.toLowerCase();
  const args = ['eks', 'get-token', '--cluster-name', clusterId, '--region', region, '--role-arn', roleArn];
  const exec = { apiVersion: 'client.authentication.k8s.io/v1beta1', command: 'aws', args, interactiveMode: 'Never' };
  return stringify(
    {
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': name,
      clusters: [{ name, cluster: { server } }],
      users: [{ name, user: { exec } }],
      contexts: [{ name, context: { cluster: name, user: name, namespace: 'default' } }],
    },
    { lineWidth: 0 },
  );
};

export interface DescribedStack {
  StackId?: string;
  Outputs?: { OutputKey?: string; OutputValue?: string }[];
}

/**
 * Reads CloudFormation's data about a stack. Throws if an output is missing, because then it is not a stack of
 * Windlass.
 */
export const deployedOf = (stackName: string, stack: DescribedStack, role?: string): Deployed => {
  const output = (key: string): string => {
    const found = stack.Outputs?.find(({ OutputKey }) => OutputKey === key)?.OutputValue;
    if (!found)
      throw new Error(`the stack ${stackName} has no output ${key}: it is not a stack of Windlass, or is not ready`);
    return found;
  };
  // arn:<partition>:cloudformation:<region>:<account>:stack/...
  const [, partition = 'aws', , region = '', account = ''] = (stack.StackId ?? '').split(':');
  return {
    stackName,
    region,
    server: output('ApiUrl').replace(/\/$/, ''),
    clusterId: output('ClusterId'),
    roleArn: role ?? `arn:${partition}:iam::${account}:role/WindlassAdmin`,
  };
};
