/** The kinds of the second provider: as small as Cluster API's contract allows. */
import type {
  InfrastructureCluster,
  InfrastructureMachine,
  InfrastructureMachineTemplate,
} from '../../shared/kinds/infrastructure.ts';
import type { KubeObject } from '../../shared/kube-api/object.ts';
import type { ResourceDefinition } from '../../shared/kube-api/resource.ts';

const GROUP = 'infrastructure.example.com';

const free = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } as const;

const definition = <T extends KubeObject>(kind: string): ResourceDefinition<T> => ({
  group: GROUP,
  version: 'v1beta2',
  kind,
  plural: `${kind.toLowerCase()}s`,
  singular: kind.toLowerCase(),
  shortNames: [],
  categories: [],
  namespaced: true,
  schema: { type: 'object', properties: { spec: free, status: free } },
  statusSubresource: true,
  columns: [],
  builtIn: false,
  clusterNameOf: ({ metadata }) => metadata.labels?.['cluster.x-k8s.io/cluster-name'],
});

export interface PlainMachine extends InfrastructureMachine {
  spec: { providerID?: string; size?: string };
  status?: InfrastructureMachine['status'] & { state?: 'booting' | 'running' | 'lost' };
}

export const plainCluster = definition<InfrastructureCluster>('PlainCluster');
export const plainMachine = definition<PlainMachine>('PlainMachine');
export const plainMachineTemplate = definition<InfrastructureMachineTemplate>('PlainMachineTemplate');

export const PLAIN_KINDS = [
  plainCluster,
  plainMachine,
  plainMachineTemplate,
] as unknown as readonly ResourceDefinition[];
