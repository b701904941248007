/**
 * The state in which Cluster API's real controllers, its kubeadm providers and its AWS provider leave a cluster in a
 * management cluster, derived from the state in which Windlass has left it. The objects have the form that upstream's
 * API types produce: empty fields that Go writes, generated names, and fields that only one control plane machine has.
 */
import type {
  AWSCluster,
  AWSMachine,
  ConfigMap,
  KubeadmConfig,
  KubeadmControlPlane,
  Machine,
  MachineSet,
  Secret,
} from '../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';

/** A hash of the template and five letters, as upstream generates it. */
const HASH = '1234567890-x7k2p';

const isOurs = (key: string): boolean => key.startsWith('windlass.dev/');

const CONTROL_PLANE = 'cluster.x-k8s.io/control-plane';
const isControlPlane = ({ metadata }: KubeObject): boolean => CONTROL_PLANE in (metadata.labels ?? {});

/** Removes everything that Windlass adds to an object: annotations, recorded tags, conditions and managed fields. */
const plain = <T extends KubeObject>(object: T): T => {
  const { managedFields: _fields, ...metadata } = object.metadata;
  const { status } = object as { status?: { conditions?: { type: string }[] } };
  const conditions = status?.conditions?.filter(({ type }) => !isOurs(type));
  const stripped = { ...object, ...(conditions ? { status: { ...status, conditions } } : {}), metadata };
  const isKept = (key: string, value: unknown) => (isOurs(key) ? undefined : value);
  return JSON.parse(JSON.stringify(stripped, isKept)) as T;
};

/** Up to version 1.7, each object got a generated name that differs from that of its machine. */
const ownName = (machine: string): string => `${machine.replace(/-[^-]+$/, '')}-${machine.slice(-4)}z`;

const rehash = <T extends KubeObject>(object: T): T =>
  JSON.parse(
    JSON.stringify(object).replaceAll(/"machine-template-hash":"[^"]*"/g, `"machine-template-hash":"${HASH}"`),
  ) as T;

const discovery = {
  bootstrapToken: {
    token: 'abcdef.0123456789abcdef',
    apiServerEndpoint: 'elsewhere.example.com:6443',
    caCertHashes: [`sha256:${'0'.repeat(64)}`],
  },
};

/**
 * The first machine has the configuration of `kubeadm init`; the others have that of `kubeadm join`, with discovery
 * data.
 */
const configOf = (config: KubeadmConfig, owner: KubeadmControlPlane, isFirst: boolean): KubeadmConfig => {
  const spec = config.spec ?? {};
  const { joinConfiguration, ...rest } = spec;
  const token = [{ token: 'abcdef.0123456789abcdef', ttlSeconds: 900 }];
  const init = { ...owner.spec.kubeadmConfigSpec?.initConfiguration, bootstrapTokens: token };
  return isFirst
    ? ({ ...config, spec: { ...rest, initConfiguration: init } } as KubeadmConfig)
    : ({ ...config, spec: { ...spec, joinConfiguration: { ...joinConfiguration, discovery } } } as KubeadmConfig);
};

const machineOf = (machine: Machine, isLost: boolean): Machine => {
  const name = ownName(machine.metadata.name);
  const { providerID, ...spec } = machine.spec;
  const hooks = isControlPlane(machine)
    ? {
        'pre-terminate.delete.hook.machine.cluster.x-k8s.io/kcp-cleanup': '',
        'controlplane.cluster.x-k8s.io/kubeadm-cluster-configuration': '{"etcd":{},"apiServer":{}}',
      }
    : {};
  return {
    ...machine,
    metadata: { ...machine.metadata, annotations: { ...machine.metadata.annotations, ...hooks } },
    spec: {
      ...spec,
      ...(isLost ? {} : { providerID }),
      bootstrap: { configRef: { ...spec.bootstrap.configRef, name }, dataSecretName: name },
      infrastructureRef: { ...spec.infrastructureRef, name },
    },
  } as Machine;
};

/** `isLost` means that the controller stopped between the launch and recording its result. */
const awsMachineOf = (awsMachine: AWSMachine, isLost: boolean): AWSMachine => {
  const { providerID, instanceID, ...spec } = awsMachine.spec;
  return {
    ...awsMachine,
    spec: {
      ...spec,
      ami: spec.ami ?? {},
      instanceMetadataOptions: { ...spec.instanceMetadataOptions, httpTokens: 'optional' },
      ...(isLost ? {} : { providerID, instanceID }),
    },
  } as AWSMachine;
};

const awsClusterOf = (awsCluster: AWSCluster): AWSCluster => {
  const { spec } = awsCluster;
  return {
    ...awsCluster,
    spec: {
      ...spec,
      bastion: { enabled: false, allowedCIDRBlocks: ['0.0.0.0/0'] },
      controlPlaneLoadBalancer: { crossZoneLoadBalancing: false, ...spec.controlPlaneLoadBalancer },
      identityRef: { kind: 'AWSClusterControllerIdentity', name: 'default' },
    },
  } as AWSCluster;
};

const renamed = <T extends KubeObject>(object: T, name: string): T => ({
  ...object,
  metadata: { ...object.metadata, name },
});

/** Replaces the names in owner references to renamed objects. */
const withOwnersRenamed = <T extends KubeObject>(object: T): T => ({
  ...object,
  metadata: {
    ...object.metadata,
    ...(object.metadata.ownerReferences
      ? {
          ownerReferences: object.metadata.ownerReferences.map((one) =>
            one.kind === 'KubeadmConfig' || one.kind === 'AWSMachine' ? { ...one, name: ownName(one.name) } : one,
          ),
        }
      : {}),
  },
});

export interface AsUpstream {
  objects: KubeObject[];
  /** The Name tag of each machine's instance, by the id of the instance. */
  names: ReadonlyMap<string, string>;
}

/** `lost` is the name of a worker whose instance is not recorded. */
export const asUpstream = (ours: readonly KubeObject[], lost: string): AsUpstream => {
  const owner = ours.find(({ kind }) => kind === 'KubeadmControlPlane') as KubeadmControlPlane;
  const lock = ours.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name.endsWith('-lock')) as ConfigMap;
  const first = (JSON.parse(lock.data?.['lock-information'] ?? '{}') as { machineName?: string }).machineName;
  const names = new Map<string, string>();
  const change = (object: KubeObject): KubeObject => {
    const { name } = object.metadata;
    const isOwnedByConfig = object.metadata.ownerReferences?.some(({ kind }) => kind === 'KubeadmConfig');
    switch (object.kind) {
      case 'Machine':
        return machineOf(object as Machine, name === lost);
      case 'AWSMachine':
        names.set((object as AWSMachine).spec.instanceID ?? '', ownName(name));
        return renamed(awsMachineOf(object as AWSMachine, name === lost), ownName(name));
      case 'AWSCluster':
        return awsClusterOf(object as AWSCluster);
      case 'KubeadmConfig': {
        const config = isControlPlane(object) ? configOf(object as KubeadmConfig, owner, name === first) : object;
        return renamed(config, ownName(name));
      }
      case 'Secret':
        return isOwnedByConfig ? renamed(object as Secret, ownName(name)) : object;
      case 'MachineSet':
        return renamed(object as MachineSet, name);
      default:
        return object;
    }
  };
  const kept = ours.filter((object) => object !== lock);
  return { objects: kept.map((object) => rehash(withOwnersRenamed(change(plain(object))))), names };
};
