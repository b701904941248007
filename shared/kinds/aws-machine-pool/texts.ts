import type { FieldText, FieldTexts, KindTexts } from '../../kube-api/schema/field-texts.ts';
import { filtersText } from '../texts/aws-instance.ts';
import { ignitionText } from '../texts/aws-machine-spec.ts';
import { awsConditionsText } from '../texts/aws-status.ts';
import { awsLaunchTemplateFields } from './launch-template-texts.ts';

const mixedInstancesPolicyText = [
  'Mix of instance types, and of on-demand and spot instances. Cannot be combined with spotMarketOptions.',
  {
    instancesDistribution: [
      'How on-demand and spot instances share the group.',
      {
        onDemandAllocationStrategy:
          'How types are chosen for on-demand instances: prioritized (in the order of overrides) or lowest-price. Defaults to prioritized.',
        spotAllocationStrategy:
          'How types are chosen for spot instances: lowest-price, capacity-optimized, capacity-optimized-prioritized or price-capacity-optimized. Defaults to lowest-price.',
        onDemandBaseCapacity: 'Number of instances that are on-demand before any are spot. Defaults to 0.',
        onDemandPercentageAboveBaseCapacity:
          'Percentage of on-demand instances above the base capacity. Defaults to 100.',
      },
    ],
    overrides: [
      "Instance types that may be launched instead of the launch template's.",
      { instanceType: 'EC2 instance type, such as m6i.large.' },
    ],
  },
] satisfies FieldText;

const suspendProcessesText = [
  'Processes of the Auto Scaling group that are suspended.',
  {
    all: 'Suspends every process except those that are false in processes. Defaults to false.',
    processes: [
      'Processes to suspend one by one.',
      {
        launch: 'Suspends adding instances.',
        terminate: 'Suspends removing instances.',
        addToLoadBalancer: 'Suspends registering new instances with load balancers.',
        alarmNotification: 'Suspends scaling by CloudWatch alarms.',
        azRebalance: 'Suspends evening out the number of instances in each zone.',
        healthCheck: 'Suspends marking instances as unhealthy.',
        instanceRefresh: 'Suspends replacing instances by an instance refresh.',
        replaceUnhealthy: 'Suspends replacing unhealthy instances.',
        scheduledActions: 'Suspends scheduled scaling.',
      },
    ],
  },
] satisfies FieldText;

const refreshPreferencesText = [
  'How instances are replaced after a change of the launch template.',
  {
    disable: 'Whether a change of the launch template leaves running instances alone. Defaults to false.',
    strategy: 'Strategy of the instance refresh. AWS offers only Rolling.',
    instanceWarmup: "Seconds until a new instance counts as ready. Defaults to the group's health check grace period.",
    minHealthyPercentage: 'Percentage of the capacity that must stay healthy. Defaults to 90.',
    maxHealthyPercentage:
      'Percentage of the capacity that may exist during the refresh, 100 to 200. Needs minHealthyPercentage, and may exceed it by at most 100.',
  },
] satisfies FieldText;

const lifecycleHooksText = [
  'Hooks that delay the launch or the termination of instances.',
  {
    name: 'Name of the hook.',
    lifecycleTransition:
      'When the hook runs: autoscaling:EC2_INSTANCE_LAUNCHING or autoscaling:EC2_INSTANCE_TERMINATING.',
    notificationTargetARN: 'ARN of the SQS queue or SNS topic to notify. Must be set together with roleARN.',
    roleARN: 'ARN of the role that may publish to the target. Must be set together with notificationTargetARN.',
    heartbeatTimeout: 'How long an instance waits for an answer, 30s to 48h.',
    defaultResult: 'What happens when no answer comes in time: CONTINUE or ABANDON.',
    notificationMetadata: 'Text that is passed on in the notification.',
  },
] satisfies FieldText;

const specFields = {
  minSize: 'Smallest number of instances, at most maxSize. Defaults to 1.',
  maxSize: 'Largest number of instances. Defaults to 1.',
  awsLaunchTemplate: ['What each instance is.', awsLaunchTemplateFields],
  providerID: 'ARN of the Auto Scaling group. Belongs to the controllers.',
  availabilityZones: "Zones of the instances. If absent, the MachinePool's failure domains decide.",
  availabilityZoneSubnetType: 'Which subnets of these zones are used: public, private or all.',
  subnets: [
    'Subnets of the instances. At most 50 items may have filters.',
    { id: 'ID of the subnet.', filters: filtersText },
  ],
  additionalTags: 'Tags for the instances, at most 50.',
  mixedInstancesPolicy: mixedInstancesPolicyText,
  providerIDList: 'Provider ids of the instances in the group. Belongs to the controllers.',
  defaultCoolDown: 'Time between two scaling activities, such as 5m0s. Defaults to 5m0s.',
  defaultInstanceWarmup: 'Time until a new instance counts as initialized, such as 5m0s. Defaults to 5m0s.',
  refreshPreferences: refreshPreferencesText,
  capacityRebalance: 'Whether spot instances at risk of interruption are replaced early. Defaults to false.',
  suspendProcesses: suspendProcessesText,
  ignition: ignitionText,
  lifecycleHooks: lifecycleHooksText,
} satisfies FieldTexts;

export const awsMachinePoolTexts = {
  text: 'An EC2 Auto Scaling group with a launch template, whose instances are the machines of a MachinePool. Windlass manages both, and creates a Machine for each instance.',
  fields: {
    spec: ['The Auto Scaling group.', specFields],
    status: [
      'State of the Auto Scaling group.',
      {
        ready: 'Whether the group exists and is not being deleted.',
        replicas: 'Number of instances.',
        conditions: awsConditionsText,
        instances: [
          'Instances of the group.',
          {
            instanceID: 'ID of the instance.',
            version: 'Version of the kubelet on the instance, as its node reports it.',
          },
        ],
        launchTemplateID: 'ID of the launch template.',
        launchTemplateVersion: 'Version of the launch template that new instances start from.',
        infrastructureMachineKind: 'Kind of the objects for the individual instances, AWSMachine.',
        failureReason: 'Code of a failure. Not reported.',
        failureMessage: 'Text of a failure. Not reported.',
        asgStatus: 'Status of the group as EC2 Auto Scaling names it, while it is being deleted.',
      },
    ],
  },
} satisfies KindTexts;
