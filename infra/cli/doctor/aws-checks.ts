import { GetFunctionConfigurationCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { QUOTAS, type Quota } from '../../../shared/providers/aws/plan/preflight/quotas.ts';
import { accountFacts } from '../api/account-facts.ts';
import type { Installation } from '../api/kubeconfig-client.ts';
import type { Check } from './check.ts';
import { functionNetworkCheck } from './function-network-check.ts';

/** From this share on, a used quota is worth a warning: a cluster takes several units of each. */
const NEARLY_USED = 0.8;

const quotaCheck = (quota: Quota, limit: () => Promise<number | undefined>, used: () => Promise<number>): Check => ({
  name: `Quota "${quota.name}"`,
  look: async () => {
    const [most, count] = await Promise.all([limit(), used()]);
    if (most === undefined) return { status: 'warning', detail: `${count} used; Service Quotas reports no limit` };
    const status = count >= most ? 'failed' : count >= NEARLY_USED * most ? 'warning' : 'ok';
    return { status, detail: `${count} of ${most} used (${quota.service} ${quota.code})` };
  },
});

const quotaChecks = (aws: Installation['aws']): Check[] => {
  const facts = accountFacts(aws);
  const check = (quota: Quota, used: () => Promise<number>) => quotaCheck(quota, () => facts.quota(quota), used);
  return [
    check(QUOTAS.vpcs, facts.vpcs),
    check(QUOTAS.addresses, facts.addresses),
    check(QUOTAS.loadBalancers, facts.networkLoadBalancers),
  ];
};

/** Checks of the caller, the deployed functions and the quotas of the region in AWS. */
export const awsChecks = ({ aws, isSimulated }: Installation, stack: string): Check[] => [
  {
    name: 'AWS credentials',
    look: async () => {
      const { Account, Arn } = await new STSClient(aws).send(new GetCallerIdentityCommand({}));
      return { status: 'ok', detail: `${Arn}, account ${Account}${isSimulated ? ' (simulated)' : ''}` };
    },
  },
  ...(isSimulated ? [] : [deployedCheck(aws, stack), functionNetworkCheck(aws, stack)]),
  ...quotaChecks(aws),
];

const deployedCheck = (aws: Installation['aws'], stack: string): Check => ({
  name: 'Deployed functions',
  look: async () => {
    const command = new GetFunctionConfigurationCommand({ FunctionName: `${stack}-api` });
    const { State, LastModified, Runtime } = await new LambdaClient(aws).send(command);
    return {
      status: State === 'Active' ? 'ok' : 'warning',
      detail: `${stack}-api is ${State}, runs ${Runtime}, was last changed at ${LastModified}`,
    };
  },
});
