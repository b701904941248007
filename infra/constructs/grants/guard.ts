import { AspectPriority, Aspects, CfnResource, CustomResource, Duration, type Stack } from 'aws-cdk-lib';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { IConstruct } from 'constructs';
import type { Settings } from '../settings.ts';

/** After this time, and not after an hour, CloudFormation reports that the guard does not answer. */
const PATIENCE = Duration.minutes(5);

/**
 * Asks `target` whether the stack may be deleted. The guard depends on every other resource of the stack, because
 * CloudFormation deletes dependents first: a refusal comes before anything is deleted. An aspect adds the dependencies,
 * because the CDK splits policies that are too long only at that late stage.
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
