/**
 * The steps of the workflows and the function that runs each. One table for both sides: the workflows (infra/workflows)
 * take their tasks from it, the functions must handle exactly the steps listed for them.
 */
export const STEPS = {
  /** Objects only: lease, certificates, machines, status. DynamoDB, KMS and Step Functions. */
  'cluster-objects': [
    'begin',
    'certificates',
    'controlPlane',
    'workers',
    'launch',
    'teardown',
    'report',
    'finish',
    'requeue',
    'fail',
  ],
  /** VPC, subnets, gateways, routes, security groups. EC2. */
  'cluster-network': ['network', 'natGateways', 'deleteNetwork'],
  /** Load balancer, target group, listener. ELBv2. */
  'cluster-load-balancer': ['loadBalancer', 'deleteLoadBalancer'],
  /** The workload cluster's API, as a whole: connection probe, kubeadm-config, ClusterResourceSets. */
  'cluster-workload': ['probe', 'addons'],
  /** A machine's objects: lease, user data, finalizers. DynamoDB, KMS, Secrets Manager. */
  'machine-objects': ['beginProvision', 'bootstrapData', 'beginRemove', 'finishRemove', 'finishProvision', 'fail'],
  /** The instance. EC2 and Secrets Manager. */
  'machine-instance': ['launchInstance', 'observeInstance', 'terminateInstance'],
  /** Registration with the API load balancer. ELBv2. */
  'machine-target': ['registerTarget', 'deregisterTarget'],
  /** The node, through the workload cluster's API. */
  'machine-node': ['confirmNode', 'vacateNode', 'leaveEtcd', 'deleteNode'],
} as const;

export type StepFunction = keyof typeof STEPS;
export type Step<F extends StepFunction> = (typeof STEPS)[F][number];
