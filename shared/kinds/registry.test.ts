import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { ResourceDefinition } from '../kube-api/resource.ts';
import { KINDS } from './index.ts';

const ADDONS = 'addons.cluster.x-k8s.io';
const BOOTSTRAP = 'bootstrap.cluster.x-k8s.io';
const CONTROL_PLANE = 'controlplane.cluster.x-k8s.io';
const CORE = 'cluster.x-k8s.io';
const INFRASTRUCTURE = 'infrastructure.cluster.x-k8s.io';

/** The facts of upstream's CustomResourceDefinitions: kind, plural, short names and anything unusual. */
const UPSTREAM: Record<string, readonly string[]> = {
  [`${ADDONS}/v1beta2`]: [
    'ClusterResourceSet clusterresourcesets [] status',
    'ClusterResourceSetBinding clusterresourcesetbindings []',
  ],
  [`${BOOTSTRAP}/v1beta2`]: [
    'KubeadmConfig kubeadmconfigs [] status',
    'KubeadmConfigTemplate kubeadmconfigtemplates []',
    'RKE2Config rke2configs [] status',
    'RKE2ConfigTemplate rke2configtemplates []',
  ],
  [`${CORE}/v1beta2`]: [
    'Cluster clusters [cl] status',
    'ClusterClass clusterclasses [cc] status',
    'Machine machines [ma] status',
    'MachineDeployment machinedeployments [md] status scale+selector',
    'MachineDrainRule machinedrainrules []',
    'MachineHealthCheck machinehealthchecks [mhc,mhcs] status',
    'MachinePool machinepools [mp] status scale',
    'MachineSet machinesets [ms] status scale+selector',
  ],
  [`${CONTROL_PLANE}/v1beta2`]: [
    'KubeadmControlPlane kubeadmcontrolplanes [kcp] status scale+selector',
    'KubeadmControlPlaneTemplate kubeadmcontrolplanetemplates []',
    'RKE2ControlPlane rke2controlplanes [] status',
    'RKE2ControlPlaneTemplate rke2controlplanetemplates [rke2ct]',
  ],
  [`${INFRASTRUCTURE}/v1beta2`]: [
    'AWSCluster awsclusters [awsc] status',
    'AWSClusterControllerIdentity awsclustercontrolleridentities [awsci] cluster-scoped',
    'AWSClusterRoleIdentity awsclusterroleidentities [awsri] cluster-scoped',
    'AWSClusterStaticIdentity awsclusterstaticidentities [awssi] cluster-scoped',
    'AWSClusterTemplate awsclustertemplates [awsct]',
    'AWSMachine awsmachines [awsm] status',
    'AWSMachinePool awsmachinepools [awsmp] status',
    'AWSMachineTemplate awsmachinetemplates [awsmt] status',
  ],
  'runtime.cluster.x-k8s.io/v1beta2': ['ExtensionConfig extensionconfigs [ext] cluster-scoped status'],
  'clusterctl.cluster.x-k8s.io/v1alpha3': ['Provider providers []'],
  // Kinds that upstream does not have.
  'infrastructure.windlass.dev/v1alpha1': [
    'Host hosts [] status',
    'HostCluster hostclusters [] status',
    'HostMachine hostmachines [] status',
    'HostMachineTemplate hostmachinetemplates [] status',
  ],
  'clusterprovisioner.rke.io/v1alpha1': [
    'Cluster clusters [] cluster-scoped status',
    'Kubeconfig kubeconfigs [] cluster-scoped',
  ],
  'admissionregistration.k8s.io/v1': [
    'MutatingWebhookConfiguration mutatingwebhookconfigurations [] cluster-scoped',
    'ValidatingAdmissionPolicy validatingadmissionpolicies [] cluster-scoped status',
    'ValidatingAdmissionPolicyBinding validatingadmissionpolicybindings [] cluster-scoped',
    'ValidatingWebhookConfiguration validatingwebhookconfigurations [] cluster-scoped',
  ],
  'rbac.authorization.k8s.io/v1': [
    'ClusterRole clusterroles [] cluster-scoped',
    'ClusterRoleBinding clusterrolebindings [] cluster-scoped',
    'Role roles []',
    'RoleBinding rolebindings []',
  ],
  '/v1': [
    'ConfigMap configmaps [cm]',
    'Event events [ev]',
    'Namespace namespaces [ns] cluster-scoped status',
    'ResourceQuota resourcequotas [quota] status',
    'Secret secrets []',
    'ServiceAccount serviceaccounts [sa]',
  ],
  'coordination.k8s.io/v1': ['Lease leases []'],
};

const scaleOf = ({ scale }: ResourceDefinition): string[] => {
  if (!scale) return [];
  return [scale.labelSelectorPath ? 'scale+selector' : 'scale'];
};

const describeKind = (definition: ResourceDefinition): string =>
  [
    definition.kind,
    definition.plural,
    `[${definition.shortNames.join(',')}]`,
    ...(definition.namespaced ? [] : ['cluster-scoped']),
    ...(definition.statusSubresource ? ['status'] : []),
    ...scaleOf(definition),
  ].join(' ');

const custom = KINDS.filter(({ builtIn }) => !builtIn);

describe('the registry', () => {
  it('has the names, scopes and subresources of upstream', () => {
    const byGroup = Map.groupBy(KINDS, ({ group, version }) => `${group}/${version}`);
    const served = [...byGroup].map(([at, definitions]) => [at, definitions.map(describeKind).sort()]);
    expect(Object.fromEntries(served)).toEqual(UPSTREAM);
  });

  it('puts all kinds of Cluster API, and no others, into its category', () => {
    expect(custom.filter(({ categories }) => categories.join() !== 'cluster-api').map(({ group }) => group)).toEqual([
      'clusterprovisioner.rke.io',
      'clusterprovisioner.rke.io',
    ]);
    const categorized = KINDS.filter(({ builtIn, categories }) => builtIn && categories.length > 0);
    // Upstream gives these a category of their own.
    expect(categorized.map(({ categories, group }) => `${group} ${categories}`)).toEqual(
      Array(4).fill('admissionregistration.k8s.io api-extensions'),
    );
  });

  it('forms the singular from the kind', () => {
    expect(KINDS.filter(({ kind, singular }) => singular !== kind.toLowerCase())).toEqual([]);
  });

  it('has a status schema exactly for the kinds with a status subresource', () => {
    for (const { kind, schema, statusSubresource } of custom) {
      expect(schema.properties?.status !== undefined, kind).toBe(statusSubresource);
    }
  });
});

const COMPATIBILITY = new URL('../../docs/compatibility.md', import.meta.url);

/** The rows of the table of kinds, one for each kind, such as `Machine cluster.x-k8s.io v1beta2,v1beta1 yes`. */
const documentedKinds = (): string[] => {
  const [, section = ''] = readFileSync(COMPATIBILITY, 'utf8').split('## Kinds');
  const rows = section.matchAll(/^\| ([\w, ]+) \| ([\w.-]+) \| (v[\w, ]+) \| (yes|no)/gm);
  return [...rows].flatMap(([, kinds = '', group, versions = '', reconciled]) =>
    kinds.split(', ').map((kind) => [kind, group, versions.replaceAll(' ', ''), reconciled].join(' ')),
  );
};

describe('docs/compatibility.md', () => {
  it('lists exactly the served kinds, and whether they are reconciled', () => {
    const served = KINDS.flatMap(({ kind, group, version, versions = [] }) => {
      const all = [{ group, name: version }, ...versions.map((each) => ({ group, ...each }))];
      return [...Map.groupBy(all, (each) => each.group)].map(([itsGroup, ofGroup]) =>
        [kind, itsGroup || 'core', ofGroup.map(({ name }) => name).join(), 'yes'].join(' '),
      );
    });
    expect(documentedKinds().sort()).toEqual(served.sort());
  });
});
