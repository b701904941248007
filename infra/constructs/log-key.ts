import { AspectPriority, Aspects, type Stack } from 'aws-cdk-lib';
import { CfnLogGroup } from 'aws-cdk-lib/aws-logs';

/** Encrypts all log groups of the stack with a user's key, whose policy must allow CloudWatch Logs to use it. */
export const encryptLogs = (stack: Stack, keyArn: string): void => {
  const visit = (construct: unknown): void => {
    if (construct instanceof CfnLogGroup) construct.kmsKeyId = keyArn;
  };
  Aspects.of(stack).add({ visit }, { priority: AspectPriority.MUTATING });
};
