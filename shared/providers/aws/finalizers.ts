/**
 * The finalizers that keep AWS's objects until their resources are gone. The names are those of Cluster API's AWS
 * provider.
 */
export const AWS_FINALIZER = {
  cluster: 'awscluster.infrastructure.cluster.x-k8s.io',
  machine: 'awsmachine.infrastructure.cluster.x-k8s.io',
  machinePool: 'awsmachinepool.infrastructure.cluster.x-k8s.io',
} as const;
