/** What a user can do about a problem, found by the reason or the text of its condition. */

interface Advice {
  when: RegExp;
  next: string;
}

/** The first matching entry is shown: special entries come before general ones. */
const ADVICE: readonly Advice[] = [
  {
    when: /the account lacks what the cluster needs/,
    next: 'Correct the fields or raise the quotas that the message names. The annotation windlass.dev/skip-preflight on the AWSCluster skips single checks.',
  },
  {
    when: /AddressLimitExceeded/,
    next: 'Release unused Elastic IP addresses, or request a higher quota in Service Quotas (EC2-VPC Elastic IPs). Windlass retries by itself.',
  },
  {
    when: /VcpuLimitExceeded|MaxSpotInstanceCountExceeded|InstanceLimitExceeded/,
    next: 'Request a higher vCPU quota for this instance family in Service Quotas, or choose a smaller instance type in the machine template.',
  },
  {
    when: /LimitExceeded|QuotaExceeded|TooMany(?:LoadBalancers|TargetGroups)/,
    next: 'Request a higher quota in Service Quotas, or delete resources of this type that are not in use. Windlass retries by itself.',
  },
  {
    when: /InsufficientInstanceCapacity|InsufficientHostCapacity|insufficient capacity/i,
    next: 'Allow more zones (failure domains) or further instance types (annotation windlass.dev/instance-types on the AWSMachineTemplate). Windlass retries by itself.',
  },
  {
    when: /UnauthorizedOperation|AccessDenied|not authorized|AuthFailure|InvalidClientTokenId/,
    next: 'Check the permissions and the trust policy of the identity that the cluster uses: docs/identities.md lists them.',
  },
  {
    when: /InvalidAMIID|no image|AMI .*not found/i,
    next: 'Set spec.ami.id in the machine template, copy an image to the account, or choose a Kubernetes version that has a published image in this region (docs/images.md).',
  },
  {
    when: /^ObjectDoesNotExist$/,
    next: 'Create the object, or correct the reference that names it.',
  },
  {
    when: /InstanceStopped|InstanceTerminated|instance is (?:stopped|gone)/,
    next: 'Start the instance again, or delete the Machine to replace it. The annotation windlass.dev/on-drift on the Cluster says what Windlass does by itself (docs/drift.md).',
  },
  {
    when: /this is only reported/,
    next: 'Undo the change in AWS, or let Windlass repair or adopt it: the annotation windlass.dev/on-drift on the Cluster says which (docs/drift.md).',
  },
  {
    when: /InvalidVpcID|InvalidSubnet|InvalidGroup|NotFound/,
    next: 'Check that the resource exists in the region and account of the cluster, or remove its id from the manifest.',
  },
  {
    when: /PodDisruptionBudget|cannot evict|Drain not completed|draining/i,
    next: 'Look at the PodDisruptionBudgets of the pods that are left, or set spec.deletion.nodeDrainTimeoutSeconds on the Machine.',
  },
  {
    when: /volume/i,
    next: 'Look at the VolumeAttachments of the node, or set spec.deletion.nodeVolumeDetachTimeoutSeconds on the Machine.',
  },
  {
    when: /paused/i,
    next: 'Set spec.paused to false, or remove the annotation cluster.x-k8s.io/paused, to resume reconciliation.',
  },
  {
    when: /RemoteConnectionProbe|connection to the workload cluster|ProbeFailed/i,
    next: 'Check that the load balancer and the control plane machines run, and that the endpoint can be reached from AWS Lambda.',
  },
  {
    when: /Waiting for a Node|NodeProvisioning|WaitingForNodeRef|NodeDoesNotExist/i,
    next: 'Read the console output of the instance (aws ec2 get-console-output --latest --instance-id ID): cloud-init and kubeadm write there why the node does not join.',
  },
  {
    when: /Waiting for Cluster control plane to be initialized/,
    next: 'If the first control plane machine has been running for some minutes, read the console output of its instance (aws ec2 get-console-output --latest --instance-id ID): cloud-init and kubeadm write there why the control plane does not come up.',
  },
  {
    when: /to report spec\.providerID/,
    next: 'Look at the conditions and events of the infrastructure machine: they explain why it has no instance yet.',
  },
  {
    when: /kubelet|NodeNotReady|NodeUnhealthy|NodeHealthy|NodeReady/i,
    next: 'Look at the node (kubectl describe node with the kubeconfig of the cluster). A MachineHealthCheck replaces unhealthy machines.',
  },
  {
    when: /admission|Invalid|Malformed|Unsupported/,
    next: 'Correct the field that the message names, and apply the manifest again.',
  },
];

/** What to try next; undefined if waiting is best. */
export const adviceFor = ({ type, reason, message }: Record<'type' | 'reason' | 'message', string>) =>
  ADVICE.find(({ when }) => [reason, message, type].some((text) => when.test(text)))?.next;
