/** Keep the objects of AWS until what they stand for is gone. Their names are those of Cluster API's AWS provider. */
export const AWS_FINALIZER = {
  cluster: 'awscluster.infrastructure.cluster.x-k8s.io',
  machine: 'awsmachine.infrastructure.cluster.x-k8s.io',
  machinePool: 'awsmachinepool.infrastructure.cluster.x-k8s.io',
} as const;
