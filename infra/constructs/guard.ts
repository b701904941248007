import { CfnResource, CustomResource, Duration, type Stack } from 'aws-cdk-lib';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { Settings } from './settings.ts';

/** What CloudFormation says of a guard that does not answer comes after this long, not after an hour. */
const PATIENCE = Duration.minutes(5);

/**
 * Asks `target` whether the stack may go. Depends on every resource that is in the stack by now, because CloudFormation
 * deletes first what depends on others: a refusal comes before anything has gone.
 */
export const guardClusters = (stack: Stack, target: IFunction, settings: Settings): void => {
  const others = stack.node.findAll().filter((child) => CfnResource.isCfnResource(child));
  const guard = new CustomResource(stack, 'DeletionGuard', {
    resourceType: 'Custom::WindlassGuard',
    serviceToken: target.functionArn,
    serviceTimeout: PATIENCE,
    properties: { destroyWithClusters: String(settings.destroyWithClusters) },
  });
  const own = guard.node.defaultChild as CfnResource;
  for (const other of others) own.addResourceDependency(other);
};
