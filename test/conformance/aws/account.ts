/**
 * The resources that the owner of an AWS account creates before the first cluster, for emulators, whose accounts are
 * empty.
 */
import { askerOf } from './raw.ts';

/** The instance profiles that `clusterawsadm bootstrap iam create-cloudformation-stack` creates. */
const PROFILES = ['control-plane', 'nodes'].map((name) => `${name}.cluster-api-provider-aws.sigs.k8s.io`);

const TRUST = JSON.stringify({
  Version: '2012-10-17',
  Statement: [{ Effect: 'Allow', Principal: { Service: 'ec2.amazonaws.com' }, Action: 'sts:AssumeRole' }],
});

/**
 * Creates roles and instance profiles in an emulator's empty account. Rejects with the emulator's response if it fails.
 */
export const fillAccount = async (url: string): Promise<void> => {
  const ask = askerOf({ url });
  const must = async (operation: string, input: Record<string, string>): Promise<void> => {
    const { code, body } = await ask('iam', operation, input);
    if (code !== undefined) throw new Error(`iam:${operation} answered ${code}: ${body}`);
  };
  for (const name of PROFILES) {
    await must('CreateRole', { RoleName: name, AssumeRolePolicyDocument: TRUST });
    await must('CreateInstanceProfile', { InstanceProfileName: name });
    await must('AddRoleToInstanceProfile', { InstanceProfileName: name, RoleName: name });
  }
};
