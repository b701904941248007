import * as z from 'zod';
import type { KubeObject } from '../../kube-api/object.ts';
import { resourceReference } from '../schema/aws-instance.ts';
import { awsLaunchTemplate, mixedInstancesPolicy } from '../schema/aws-launch-template.ts';
import { ignition } from '../schema/aws-machine-spec.ts';
import { tags } from '../schema/aws-network.ts';
import { flag, int32, int64, list, options, struct } from '../schema/fields.ts';
import { legacyConditions } from '../schema/meta.ts';

const texts = list(z.string());

const processes = options({
  launch: flag,
  terminate: flag,
  addToLoadBalancer: flag,
  alarmNotification: flag,
  azRebalance: flag,
  healthCheck: flag,
  instanceRefresh: flag,
  replaceUnhealthy: flag,
  scheduledActions: flag,
});

const lifecycleHook = struct(
  {
    name: z.string(),
    lifecycleTransition: z.enum(['autoscaling:EC2_INSTANCE_LAUNCHING', 'autoscaling:EC2_INSTANCE_TERMINATING']),
  },
  {
    notificationTargetARN: z.string(),
    roleARN: z.string(),
    heartbeatTimeout: z.string().meta({ format: 'duration' }),
    defaultResult: z.enum(['CONTINUE', 'ABANDON']),
    notificationMetadata: z.string(),
  },
);

const refreshPreferences = options({
  disable: flag,
  strategy: z.string(),
  instanceWarmup: int64(),
  minHealthyPercentage: int64(),
  maxHealthyPercentage: int64({ min: 100, max: 200 }),
});

const spec = struct(
  {
    minSize: int32({ min: 0 }).default(1).meta({ format: 'int32' }),
    maxSize: int32({ min: 1 }).default(1).meta({ format: 'int32' }),
    awsLaunchTemplate,
  },
  {
    providerID: z.string(),
    availabilityZones: texts,
    availabilityZoneSubnetType: z.enum(['public', 'private', 'all']),
    subnets: list(resourceReference),
    additionalTags: tags,
    mixedInstancesPolicy,
    providerIDList: texts,
    defaultCoolDown: z.string(),
    defaultInstanceWarmup: z.string(),
    refreshPreferences,
    capacityRebalance: flag,
    suspendProcesses: options({ all: flag, processes }),
    ignition,
    lifecycleHooks: list(lifecycleHook),
  },
);

const status = options({
  ready: flag,
  replicas: int32(),
  conditions: legacyConditions,
  instances: list(options({ instanceID: z.string(), version: z.string() })),
  launchTemplateID: z.string(),
  launchTemplateVersion: z.string(),
  infrastructureMachineKind: z.string(),
  failureReason: z.string(),
  failureMessage: z.string(),
  asgStatus: z.string(),
});

export const awsMachinePoolSchema = options({ spec, status });

export type AWSMachinePoolSpec = z.input<typeof spec>;
export type LifecycleHook = z.input<typeof lifecycleHook>;

/** An Auto Scaling group. Defaulting sets its sizes, cool-down and warm-up. */
export interface AWSMachinePool extends KubeObject {
  spec?: AWSMachinePoolSpec;
  status?: z.input<typeof status>;
}
