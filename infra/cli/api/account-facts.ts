import { createAutoScalingClient } from '../../../shared/aws/clients/auto-scaling.ts';
import { createClassicElbClient } from '../../../shared/aws/clients/classic-elb.ts';
import { createEc2Client } from '../../../shared/aws/clients/ec2.ts';
import { createElbv2Client } from '../../../shared/aws/clients/elbv2.ts';
import { createIamClient } from '../../../shared/aws/clients/iam.ts';
import { createKmsClient } from '../../../shared/aws/clients/kms.ts';
import { createServiceQuotasClient } from '../../../shared/aws/clients/service-quotas.ts';
import { type AccountFacts, createAccountFacts } from '../../../shared/providers/aws/api/account-facts.ts';
import type { Installation } from './kubeconfig-client.ts';

/** The facts about the account of the caller's credentials, in another region if one is given. */
export const accountFacts = (aws: Installation['aws'], region = aws.region): AccountFacts => {
  const options = { ...aws, region };
  return createAccountFacts({
    ec2: createEc2Client(options),
    elbv2: createElbv2Client(options),
    elb: createClassicElbClient(options),
    iam: createIamClient(options),
    kms: createKmsClient(options),
    quotas: createServiceQuotasClient(options),
    autoScaling: createAutoScalingClient(options),
  });
};
