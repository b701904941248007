/** Incomplete clusters, which wait for something that is missing on both sides. */
import type { Api } from '../../../infra/cli/api/client.ts';
import type { JsonObject } from '../../../shared/kube-api/json.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import { withValue } from '../../../shared/plan/topology/path.ts';
import { createCluster, type Judge } from './clusters.ts';
import type { Conditions, Provider } from './conditions.ts';

type Change = (object: KubeObject) => KubeObject;

interface Waiting {
  namespace: string;
  what: string;
  /** Kinds that the cluster does not contain. */
  without?: readonly string[];
  changes: Readonly<Record<string, Change>>;
  judge: Judge;
}

const set =
  (path: string, value: unknown): Change =>
  (object) =>
    withValue(object as unknown as JsonObject, path.split('.'), value) as unknown as KubeObject;

/** Marks an object as managed externally, so that no controller provides it. */
const external: Change = (object) => ({
  ...object,
  metadata: { ...object.metadata, annotations: { 'cluster.x-k8s.io/managed-by': 'suite' } },
});

/** On AWS the key pair does not exist; in memory, machines start only after the suite has ended. */
const KEY_PAIR = set('spec.template.spec.sshKeyName', 'missing');
const START = set('spec.template.spec.backend.inMemory.vm.provisioning.startupDuration', '24h');

const only =
  (name: string, change: Change): Change =>
  (object) =>
    object.metadata.name === name ? change(object) : object;

const countOf = (wanted: number, machines: readonly KubeObject[]): string | undefined =>
  machines.length === wanted ? undefined : `${machines.length} machines`;

const withoutInstances = (template: string): Waiting['changes'] => ({
  AWSMachineTemplate: only(template, KEY_PAIR),
  DevMachineTemplate: only(template, START),
});

const lackOfControlPlane = (conditions: Conditions): string | undefined => {
  const found = conditions.get('KubeadmControlPlane')?.get('Available');
  return found?.every((text) => text.startsWith('True')) ? undefined : `Available: ${found}`;
};

/** The kinds of workers. Windlass creates workers together with the control plane, upstream after it. */
const WORKERS = ['MachineDeployment', 'KubeadmConfigTemplate', 'MachineHealthCheck'];

const single = set('spec.replicas', 1);

export const WAITING: readonly Waiting[] = [
  {
    namespace: 'without-infrastructure',
    what: 'its infrastructure',
    without: WORKERS,
    changes: { AWSCluster: external, DevCluster: external, KubeadmControlPlane: single },
    judge: (_conditions, machines) => countOf(0, machines),
  },
  {
    namespace: 'without-control-plane',
    what: 'the first instance of its control plane',
    without: WORKERS,
    changes: { KubeadmControlPlane: single, ...withoutInstances('healthy-control-plane') },
    judge: (_conditions, machines) => countOf(1, machines),
  },
  {
    namespace: 'without-workers',
    what: 'the instances of its workers',
    changes: { KubeadmControlPlane: single, MachineDeployment: single, ...withoutInstances('healthy-md-0') },
    judge: (conditions, machines) => countOf(2, machines) ?? lackOfControlPlane(conditions),
  },
];

/** Creates the clusters, each in its own namespace. Rejects with ApiError if an object is refused. */
export const createWaiting = async (api: Api, provider: Provider): Promise<void> => {
  for (const { namespace, without, changes } of WAITING) {
    await api.send('POST', '/api/v1/namespaces', {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: namespace },
    });
    const change: Change = (object) => changes[object.kind]?.(object) ?? object;
    await createCluster(api, provider, without, change, namespace);
  }
};
