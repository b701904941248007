/**
 * Kinds of external providers. CustomResourceDefinitions describe them, and Cluster API's contract defines the meaning
 * of their objects. A reference names a kind by group and kind; the labels of the definition determine the version.
 */
import { unservedKind } from '../kinds/reference.ts';
import { byPreference } from '../kube-api/custom/resource-of.ts';
import type { KubeObject } from '../kube-api/object.ts';
import type { ResourceDefinition } from '../kube-api/resource.ts';
import { LABEL } from '../plan/labels.ts';

/** How the core uses an object. */
export type Role =
  | 'cluster'
  | 'machine'
  | 'machineTemplate'
  | 'controlPlane'
  | 'config'
  | 'configTemplate'
  | 'remediation';

/** The supported contracts, the preferred one first. */
const CONTRACTS = ['v1beta2', 'v1beta1'] as const;
export type Contract = (typeof CONTRACTS)[number];

/** Represents an external provider's kind until its definition is looked up. */
export interface OutsideKind<T extends KubeObject = KubeObject> extends ResourceDefinition<T> {
  outside: Role;
}

export const isOutside = <T extends KubeObject>(resource: object): resource is OutsideKind<T> => 'outside' in resource;

/** Only group and kind are known, and the version if the reference has one. */
export const outsideKind = <T extends KubeObject>(
  role: Role,
  group: string,
  kind: string,
  version = '',
): OutsideKind<T> => ({
  ...{ group, kind, version, plural: '', singular: '', shortNames: [], categories: [], columns: [] },
  ...{ namespaced: true, schema: {}, statusSubresource: true, builtIn: false, outside: role },
});

/** Whether a reference can only name a kind of an external provider. */
export const namesOutside = (
  reference: { apiGroup?: string; kind?: string } | undefined,
): reference is { apiGroup: string; kind: string } =>
  Boolean(reference?.apiGroup) && Boolean(reference?.kind) && unservedKind(reference ?? {});

/** The cluster that a custom resource says it belongs to. */
export const clusterOfCustom = ({ metadata }: KubeObject): string | undefined => metadata.labels?.[LABEL.clusterName];

const versionsOf = ({ custom }: ResourceDefinition, contract: Contract): string[] =>
  (custom?.labels[`cluster.x-k8s.io/${contract}`] ?? '').split('_').filter(Boolean).toSorted(byPreference);

/** Whether the definition of a kind says that it fulfils a contract that is supported here. */
export const followsContract = (resource: ResourceDefinition): boolean =>
  CONTRACTS.some((contract) => versionsOf(resource, contract).length > 0);

/** The contract that a version of a definition fulfils, according to the labels. */
export const contractOfVersion = (resource: ResourceDefinition): Contract | undefined =>
  CONTRACTS.find((contract) => versionsOf(resource, contract).includes(resource.version));

/** The definition of a kind in the version in which it fulfils a contract. */
export interface Resolved<T extends KubeObject> {
  resource: ResourceDefinition<T>;
  contract: Contract;
}

/**
 * Finds the definition of an external kind among those that are served: the newest of the versions for the newest
 * contract in its labels (internal/contract GetLatestContractAndAPIVersionFromContract). If a reference names a
 * version, that one is used instead. Undefined if the kind is not defined, is cluster-scoped, or has no label of a
 * contract. The label is always required: with it, the administrator who created the definition allows the core to
 * create and delete such objects for users who may not do so themselves.
 */
export const resolve = <T extends KubeObject>(
  { group, kind, version: named }: OutsideKind<T>,
  served: readonly ResourceDefinition[],
): Resolved<T> | undefined => {
  const versions = served.filter((one) => one.kind === kind && one.group === group && one.namespaced);
  const [any] = versions;
  const contract = any && CONTRACTS.find((one) => versionsOf(any, one).length > 0);
  if (!any || !contract) return undefined;
  const wanted = named || versionsOf(any, contract)[0];
  const resource = versions.find(({ version }) => version === wanted);
  return resource && { resource: resource as unknown as ResourceDefinition<T>, contract };
};

/** Returns the definitions of namespaced kinds that fulfil a contract, in all versions. */
export type ContractKinds = () => Promise<readonly ResourceDefinition[]>;

/** Selects them from all definitions. */
export const contractKindsOf =
  (current: () => Promise<{ resources: readonly ResourceDefinition[] }>): ContractKinds =>
  async () =>
    (await current()).resources.filter((one) => one.namespaced && followsContract(one));

/** Returns the kinds that fulfil a contract, in the role of templates, whose objects are read unchanged. */
export type OutsideKinds = () => Promise<readonly OutsideKind[]>;

/** Selects them from the kinds of all definitions. */
export const outsideKindsOf =
  (current: () => Promise<{ resources: readonly ResourceDefinition[] }>): OutsideKinds =>
  async () => {
    const { resources } = await current();
    const kinds = resources
      .filter(followsContract)
      .map(({ group, kind }) => [`${group}/${kind}`, { group, kind }] as const);
    return [...new Map(kinds).values()].map(({ group, kind }) => outsideKind('machineTemplate', group, kind));
  };
