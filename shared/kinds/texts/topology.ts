/** Texts of `Cluster.spec.topology`. */
import type { FieldText, FieldTexts } from '../../kube-api/schema/field-texts.ts';
import { healthCheckFields, legacyHealthCheckFields, workerHealthCheckFields } from './health-check.ts';
import {
  deletionTimeoutFields,
  legacyTimeoutFields,
  machineTaintsText,
  minReadySecondsText,
  readinessGatesText,
} from './machine-spec.ts';
import { deletionOrderText, legacyStrategyFields, rolloutAfterText, strategyFields } from './replicas.ts';

const TOPOLOGY = 'What the cluster is made of, if it is made from a ClusterClass.';

const metadataText = [
  'Labels and annotations for the objects and their machines, besides those of the class.',
  { labels: 'Labels to add.', annotations: 'Annotations to add.' },
] satisfies FieldText;

const variableFields = {
  name: 'Name of a variable that the ClusterClass defines.',
  value: "Value of the variable, any JSON that fits the variable's schema.",
} satisfies FieldTexts;

const overridesOf = (fields: FieldTexts): FieldText => [
  'Values that apply to this part of the cluster alone.',
  { overrides: ['Variables with other values than in spec.topology.variables, by name. At most 1000.', fields] },
];

const healthCheckOf = (fields: FieldTexts): FieldText => [
  'Health check of these machines, in place of the one of the class.',
  {
    enabled: 'True and false switch the health check on or off. Unset follows the class.',
    ...fields,
  },
];

const TIMEOUTS = 'How long the deletion of a machine waits for its node.';
const NAME = 'Name within the topology, from which the name of the object derives. Unique among its kind.';

const controlPlaneFields = {
  metadata: metadataText,
  replicas: 'Number of control plane machines. Unset leaves the number to the control plane object.',
  rollout: ['When machines are replaced.', { after: rolloutAfterText }],
  healthCheck: healthCheckOf(healthCheckFields),
  deletion: [TIMEOUTS, deletionTimeoutFields],
  taints: machineTaintsText,
  readinessGates: readinessGatesText,
  variables: overridesOf(variableFields),
} satisfies FieldTexts;

const deploymentFields = {
  class: 'Name of the machine deployment class in the ClusterClass.',
  name: NAME,
  metadata: metadataText,
  failureDomain: 'Failure domain of the machines, such as an availability zone. Unset follows the class.',
  replicas: 'Number of machines. Unset leaves the number to the autoscaler.',
  healthCheck: healthCheckOf(workerHealthCheckFields),
  deletion: [
    'Which machines go first, and how long their deletion waits.',
    { order: deletionOrderText, ...deletionTimeoutFields },
  ],
  taints: machineTaintsText,
  minReadySeconds: minReadySecondsText,
  readinessGates: readinessGatesText,
  rollout: [
    'How machines are replaced.',
    { after: rolloutAfterText, strategy: ['Strategy of a rollout.', strategyFields] },
  ],
  variables: overridesOf(variableFields),
} satisfies FieldTexts;

const poolFields = {
  class: 'Name of the machine pool class in the ClusterClass.',
  name: NAME,
  metadata: metadataText,
  failureDomains: 'Failure domains of the pool. Unset follows the class.',
  deletion: [TIMEOUTS, deletionTimeoutFields],
  taints: machineTaintsText,
  minReadySeconds: minReadySecondsText,
  replicas: 'Number of machines. Unset leaves the number to the autoscaler.',
  variables: overridesOf(variableFields),
} satisfies FieldTexts;

const VARIABLES = 'Values of the variables that the ClusterClass defines, by name. At most 1000.';
const VERSION = 'Kubernetes version of the whole cluster, such as v1.34.1. A missing leading v is added.';
const CONTROL_PLANE = 'The control plane of the cluster.';
const DEPLOYMENTS = 'MachineDeployments of the cluster, by name. At most 2000.';
const POOLS = 'MachinePools of the cluster, by name. At most 2000.';

export const topologyText = [
  TOPOLOGY,
  {
    classRef: [
      'ClusterClass to build the cluster from.',
      {
        name: 'Name of the ClusterClass.',
        namespace: "Namespace of the ClusterClass. Defaults to the Cluster's.",
      },
    ],
    version: VERSION,
    controlPlane: [CONTROL_PLANE, controlPlaneFields],
    workers: [
      'Groups of worker machines.',
      { machineDeployments: [DEPLOYMENTS, deploymentFields], machinePools: [POOLS, poolFields] },
    ],
    variables: [VARIABLES, variableFields],
  },
] satisfies FieldText;

const definitionFrom =
  'Origin of the definition, if several parts of the class define the variable. Empty means the class itself.';

const legacyOverrides = overridesOf({ definitionFrom });

const legacyHealthCheckText = [
  'Health check of these machines, in place of the one of the class.',
  { enable: 'True and false switch the health check on or off. Unset follows the class.', ...legacyHealthCheckFields },
] satisfies FieldText;

/** What the topology of v1beta1 has besides. */
export const legacyTopologyText = [
  TOPOLOGY,
  {
    class: 'Name of the ClusterClass to build the cluster from.',
    classNamespace: "Namespace of the ClusterClass. Defaults to the Cluster's.",
    rolloutAfter: 'Has no effect in any version of Cluster API. Stored so that the object comes back unchanged.',
    controlPlane: [
      CONTROL_PLANE,
      { variables: legacyOverrides, machineHealthCheck: legacyHealthCheckText, ...legacyTimeoutFields },
    ],
    workers: [
      'Groups of worker machines.',
      {
        machineDeployments: [
          DEPLOYMENTS,
          {
            variables: legacyOverrides,
            machineHealthCheck: legacyHealthCheckText,
            strategy: ['How machines are replaced.', legacyStrategyFields],
            ...legacyTimeoutFields,
          },
        ],
        machinePools: [POOLS, { variables: legacyOverrides, ...legacyTimeoutFields }],
      },
    ],
    variables: [VARIABLES, { definitionFrom }],
  },
] satisfies FieldText;
