/**
 * The steps of the workflows and the function that runs each. Both sides use this table: the workflows
 * (infra/workflows) take their tasks from it, and each function must handle exactly the steps listed for it.
 */
export const STEPS = {
  /** Objects only: lease, certificates, machines, status. DynamoDB, KMS and Step Functions. */
  'cluster-objects': [
    'begin',
    'certificates',
    'certificatesWhileUnready',
    'outside',
    'machines',
    'teardown',
    'conclude',
    'concludeWhileUnready',
    'concludeAfterFailure',
    'requeue',
    'fail',
    'controlPlane',
    'workers',
    'launch',
    'report',
    'finish',
  ],
  /** AWS: VPC, subnets, gateways, routes, security groups. EC2. */
  'cluster-network': ['foundation', 'egress', 'removeFoundation'],
  /** AWS: load balancer, target group, listener. ELBv2. */
  'cluster-load-balancer': ['endpoint', 'removeEndpoint'],
  /** The workload cluster's API as a whole: connection probe, kubeadm-config, ClusterResourceSets. */
  'cluster-workload': ['workload', 'workloadWhileUnready', 'workloadAfterFailure', 'probe', 'addons'],
  /** A machine's objects: lease, user data, finalizers. DynamoDB, KMS, Secrets Manager. */
  'machine-objects': [
    'beginProvision',
    'bootstrapData',
    'beginRemove',
    'finishRemove',
    'finishProvision',
    'finishWatched',
    'fail',
  ],
  /** AWS: the instance. EC2 and Secrets Manager. */
  'machine-instance': ['launchInstance', 'observeInstance', 'terminateInstance'],
  /** AWS: registration with the API load balancer. ELBv2. */
  'machine-target': ['attachEndpoint', 'detachEndpoint'],
  /** A pool's objects: lease, bootstrap data, Machines, finalizers. DynamoDB, KMS. */
  'pool-objects': ['beginPool', 'poolBootstrap', 'poolMachines', 'finishPool', 'finishPoolRemoval', 'fail'],
  /** AWS: launch template and Auto Scaling group. EC2, Auto Scaling and Secrets Manager. */
  'pool-group': ['reconcilePool', 'removePool'],
  /** Hosts over SSH: all steps of the provider. DynamoDB, KMS. */
  hosts: [
    'foundation',
    'egress',
    'endpoint',
    'removeEndpoint',
    'removeFoundation',
    'launchInstance',
    'observeInstance',
    'terminateInstance',
    'attachEndpoint',
    'detachEndpoint',
  ],
  /** The node, through the workload cluster's API. */
  'machine-node': ['confirmNode', 'watchNodes', 'drainNode', 'leaveEtcd', 'deleteNode'],
} as const;

/**
 * Steps that are no longer in any definition. Executions that began before a deployment still call them. They are
 * removed together with the last payload version that has them (decision 20).
 */
export const FORMER_STEPS: Readonly<Partial<Record<StepFunction, readonly string[]>>> = {
  // Until version 4, each of these was a separate state.
  'cluster-objects': ['controlPlane', 'workers', 'launch', 'report', 'finish'],
  'cluster-workload': ['addons'],
};

/**
 * The steps that an infrastructure provider implements in its own functions. The steps for a cluster or for a machine's
 * instance use the provider of that object; the steps that register a machine with the endpoint use the cluster's
 * provider. A provider implements all of them. If it has nothing to do in a step, it returns that the step is done.
 */
export const PROVIDED_STEPS = {
  cluster: {
    /** Creates what machines and the endpoint depend on. ReadyResult. */
    foundation: 'infrastructure',
    /** Creates what else machines need, concurrently with the endpoint: the way out to the internet. ReadyResult. */
    egress: 'infrastructure',
    /** Creates the stable address of the API server, and sets it in the infrastructure object. ReadyResult. */
    endpoint: 'infrastructure',
    /** DoneResult. */
    removeEndpoint: 'infrastructure',
    /** Removes the finalizer of the infrastructure object when nothing is left. */
    removeFoundation: 'infrastructure',
  },
  machine: {
    /** Creates the instance with the machine's bootstrap data: only once, however often the step runs. */
    launchInstance: 'infrastructure',
    /** ProgressResult. */
    observeInstance: 'infrastructure',
    /** Requests the termination of the instance, and then observes it. ProgressResult. */
    terminateInstance: 'infrastructure',
    /** Registers a control plane machine with the endpoint. */
    attachEndpoint: 'endpoint',
    detachEndpoint: 'endpoint',
  },
  /** A provider without pools serves none of these. */
  pool: {
    /** Creates or updates the pool's group, and records its instances. ProgressResult. */
    reconcilePool: 'infrastructure',
    /** Requests the deletion of the group and of all its instances, and then observes it. ProgressResult. */
    removePool: 'infrastructure',
  },
} as const;

export type StepFunction = keyof typeof STEPS;
export type Step<F extends StepFunction> = (typeof STEPS)[F][number];
