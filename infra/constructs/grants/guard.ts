import { AspectPriority, Aspects, CfnResource, CustomResource, Duration, type Stack } from 'aws-cdk-lib';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { IConstruct } from 'constructs';
import type { Settings } from '../settings.ts';

/** CloudFormation reports a guard that does not answer after this time, not after an hour. */
const PATIENCE = Duration.minutes(5);

/**
 * Asks `target` whether the stack may go. Depends on every other resource of the stack, because CloudFormation deletes
 * first what depends on others: a refusal comes before anything has gone. By an aspect, because the CDK moves what is too
 * long for one policy into another one as late as that.
 */
export const guardClusters = (stack: Stack, target: IFunction, settings: Settings): void => {
  const guard = new CustomResource(stack, 'DeletionGuard', {
    resourceType: 'Custom::WindlassGuard',
    serviceToken: target.functionArn,
    serviceTimeout: PATIENCE,
    properties: { destroyWithClusters: String(settings.destroyWithClusters) },
  });
  const own = guard.node.defaultChild as CfnResource;
  const visit = (other: IConstruct): void => {
    if (CfnResource.isCfnResource(other) && other !== own) own.addResourceDependency(other);
  };
  Aspects.of(stack).add({ visit }, { priority: AspectPriority.READONLY });
};
