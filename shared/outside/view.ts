/**
 * The parts of an external provider's objects that the core reads: the fields of Cluster API's contract, in the same
 * shape as those of the built-in providers. All other fields are left out, so that nothing can depend on them. Users
 * may have written any of them, so a field of the wrong type counts as absent.
 */
import type { BootstrapConfig, ControlPlane } from '../kinds/contract-objects.ts';
import type { AddressType, InfrastructureCluster, InfrastructureMachine } from '../kinds/infrastructure.ts';
import type { LegacyCondition } from '../kinds/schema/meta.ts';
import { isObject } from '../kube-api/json.ts';
import type { KubeObject } from '../kube-api/object.ts';
import type { Contract, Role } from './kinds.ts';

type Tree = Readonly<Record<string, unknown>>;

const treeAt = (tree: unknown, ...path: readonly string[]): Tree => {
  let found: unknown = tree;
  for (const step of path) found = isObject(found) ? found[step] : undefined;
  return isObject(found) ? found : {};
};

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

const list = (value: unknown): Tree[] => (Array.isArray(value) ? value.filter(isObject) : []);

const STATUSES: readonly unknown[] = ['True', 'False', 'Unknown'];

/** Conditions of either contract; `severity` and other fields are ignored. */
const conditionsOf = (status: Tree): LegacyCondition[] => {
  const newer = list(treeAt(status, 'v1beta2').conditions);
  const all = newer.length > 0 ? newer : list(status.conditions);
  return all
    .filter((one) => text(one.type) && STATUSES.includes(one.status))
    .map(({ type, status: holds, reason, message, lastTransitionTime }) => ({
      type: String(type),
      status: holds as LegacyCondition['status'],
      ...(text(reason) ? { reason: String(reason) } : {}),
      ...(text(message) ? { message: String(message) } : {}),
      lastTransitionTime: text(lastTransitionTime) ?? '',
    }));
};

/** Whether the resource of the object exists (status.ready of v1beta1, status.initialization of v1beta2). */
const isProvisioned = (status: Tree, contract: Contract): boolean =>
  (contract === 'v1beta1' ? status.ready : treeAt(status, 'initialization').provisioned) === true;

const domainOf = (domain: Tree) => {
  const attributes = Object.entries(treeAt(domain, 'attributes')).flatMap(([key, value]) =>
    typeof value === 'string' ? [[key, value] as const] : [],
  );
  return {
    controlPlane: domain.controlPlane === true,
    ...(attributes.length > 0 ? { attributes: Object.fromEntries(attributes) } : {}),
  };
};

/** A map in v1beta1, a list in v1beta2. */
const failureDomainsOf = (status: Tree, contract: Contract) =>
  contract === 'v1beta1'
    ? Object.entries(treeAt(status, 'failureDomains')).map(
        ([name, domain]) => [name, domainOf(treeAt(domain))] as const,
      )
    : list(status.failureDomains).flatMap((domain) => {
        const name = text(domain.name);
        return name ? [[name, domainOf(domain)] as const] : [];
      });

const endpointOf = (spec: Tree) => {
  const { host, port } = treeAt(spec, 'controlPlaneEndpoint');
  return text(host) && typeof port === 'number' && port > 0 ? { host: String(host), port } : undefined;
};

const clusterView = (object: KubeObject, contract: Contract): InfrastructureCluster => {
  const status = treeAt(object, 'status');
  const endpoint = endpointOf(treeAt(object, 'spec'));
  const domains = failureDomainsOf(status, contract);
  return {
    ...headOf(object),
    spec: endpoint ? { controlPlaneEndpoint: endpoint } : {},
    status: {
      ready: isProvisioned(status, contract),
      ...(domains.length > 0 ? { failureDomains: Object.fromEntries(domains) } : {}),
      conditions: conditionsOf(status),
    },
  };
};

const ADDRESSES: readonly unknown[] = ['Hostname', 'ExternalIP', 'InternalIP', 'ExternalDNS', 'InternalDNS'];

/** A machine of an external provider, with its failure domain. */
export interface OutsideMachine extends InfrastructureMachine {
  status: NonNullable<InfrastructureMachine['status']> & { failureDomain?: string };
}

/**
 * As in upstream, the provider id is ignored until the machine is provisioned, and a machine without one is not
 * provisioned.
 */
const machineView = (object: KubeObject, contract: Contract): OutsideMachine => {
  const [spec, status] = [treeAt(object, 'spec'), treeAt(object, 'status')];
  const providerID = isProvisioned(status, contract) ? text(spec.providerID) : undefined;
  const failureDomain = text(status.failureDomain) ?? (contract === 'v1beta1' ? text(spec.failureDomain) : undefined);
  const addresses = list(status.addresses).flatMap(({ type, address }) =>
    ADDRESSES.includes(type) && text(address) ? [{ type: type as AddressType, address: String(address) }] : [],
  );
  return {
    ...headOf(object),
    spec: providerID ? { providerID } : {},
    status: {
      ready: providerID !== undefined,
      ...(addresses.length > 0 ? { addresses } : {}),
      ...(failureDomain ? { failureDomain } : {}),
      conditions: conditionsOf(status),
    },
  };
};

const headOf = ({ apiVersion, kind, metadata }: KubeObject): KubeObject => ({ apiVersion, kind, metadata });

/** The data of a machine exist when the provider reports it and names the Secret (status.ready in v1beta1). */
const configView = (object: KubeObject, contract: Contract): BootstrapConfig => {
  const status = treeAt(object, 'status');
  const name = text(status.dataSecretName);
  const created = contract === 'v1beta1' ? status.ready : treeAt(status, 'initialization').dataSecretCreated;
  const isCreated = created === true && name !== undefined;
  return {
    ...headOf(object),
    status: {
      ...(isCreated ? { dataSecretName: name, initialization: { dataSecretCreated: true } } : {}),
      conditions: conditionsOf(status) as NonNullable<BootstrapConfig['status']>['conditions'],
    },
  };
};

const count = (value: unknown): number | undefined => (Number.isInteger(value) ? (value as number) : undefined);

const given = <T extends object>(fields: T): Partial<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<T>;

/** A control plane of an external provider. It may contain the endpoint of the cluster. */
export interface OutsideControlPlane extends ControlPlane {
  spec: ControlPlane['spec'] & { controlPlaneEndpoint?: { host: string; port: number } };
  status?: ControlPlane['status'] & { versions?: { version: string }[] };
}

/** As in upstream, another field replaces the condition `Available` if it is missing. */
const withAvailable = (kind: string, status: Tree, isOld: boolean): LegacyCondition[] => {
  const conditions = conditionsOf(status);
  if (conditions.some(({ type }) => type === 'Available')) return conditions;
  const field = isOld ? 'ready' : 'initialization.controlPlaneInitialized';
  const holds = isOld ? status.ready : treeAt(status, 'initialization').controlPlaneInitialized;
  const found = holds === true ? 'True' : 'False';
  const message = holds === true ? {} : { message: `${kind} status.${field} is false` };
  return [...conditions, { type: 'Available', status: found, ...message, lastTransitionTime: '' }];
};

const controlPlaneView = (object: KubeObject, contract: Contract): OutsideControlPlane => {
  const [spec, status] = [treeAt(object, 'spec'), treeAt(object, 'status')];
  const isOld = contract === 'v1beta1';
  const initialized = isOld ? status.initialized : treeAt(status, 'initialization').controlPlaneInitialized;
  const counters = {
    replicas: count(status.replicas),
    readyReplicas: count(status.readyReplicas),
    availableReplicas: count(isOld ? status.readyReplicas : status.availableReplicas),
    upToDateReplicas: count(isOld ? status.updatedReplicas : status.upToDateReplicas),
  };
  const versions = list(status.versions).flatMap(({ version }) =>
    text(version) ? [{ version: String(version) }] : [],
  );
  return {
    ...headOf(object),
    spec: {
      ...given({ replicas: count(spec.replicas), version: text(spec.version), controlPlaneEndpoint: endpointOf(spec) }),
    } as OutsideControlPlane['spec'],
    status: {
      ...given({ ...counters, version: text(status.version), observedGeneration: count(status.observedGeneration) }),
      ...(versions.length > 0 ? { versions } : {}),
      ...(initialized === true ? { initialization: { controlPlaneInitialized: true } } : {}),
      ...(status.externalManagedControlPlane === true ? { externalManagedControlPlane: true } : {}),
      conditions: withAvailable(object.kind, status, isOld),
    } as OutsideControlPlane['status'],
  };
};

const VIEWS: Readonly<Partial<Record<Role, (object: KubeObject, contract: Contract) => KubeObject>>> = {
  cluster: clusterView,
  machine: machineView,
  config: configView,
  controlPlane: controlPlaneView,
};

/** Templates are read unchanged. */
export const viewOf = (role: Role, object: KubeObject, contract: Contract): KubeObject =>
  VIEWS[role]?.(object, contract) ?? object;
