/** Objects with which the editor of another namespace claims parts of a cluster. */
import type { Account } from '../../../../infra/local/account.ts';
import { MACHINE_UID_TAG } from '../../../../shared/providers/aws/plan/launch/request.ts';
import { CLUSTER } from '../user.ts';
import { liveInstances } from '../verdicts/judge.ts';

/** The editor's own namespace. */
export const NAMESPACE = 'hostile';

const CORE = 'cluster.x-k8s.io/v1beta2';
const INFRASTRUCTURE = 'infrastructure.cluster.x-k8s.io/v1beta2';
/** The collections of the editor's objects, by API version. */
export const PLACES = {
  [CORE]: `/apis/${CORE}/namespaces/${NAMESPACE}`,
  [INFRASTRUCTURE]: `/apis/${INFRASTRUCTURE}/namespaces/${NAMESPACE}`,
  v1: `/api/v1/namespaces/${NAMESPACE}`,
} as const;

export interface Forgery {
  plural: string;
  object: { apiVersion: keyof typeof PLACES; kind: string; metadata: { name: string; [key: string]: unknown } };
}

/** A cluster that is attacked. */
export interface Victim {
  uid: string;
  vpcId: string;
  subnetIds: readonly string[];
  loadBalancer: string;
  /** One of its instances, with the uid of the Machine. */
  instance: { providerId: string; machineUid: string } | undefined;
}

const BOOTSTRAP = 'bootstrap';
const NOTHING = 'vpc-00000000000000000';

/** Ids of resources are not secret. */
export const victimOf = (account: Account, uid: string): Victim => {
  const ec2 = account.ec2();
  const owned = ec2.vpcs.all().find(({ tags }) => [...tags.values()].includes('owned'));
  const subnets = ec2.subnets.all().filter(({ vpcId }) => vpcId === owned?.id);
  const instance = liveInstances(account).find(({ tags }) => tags.has(MACHINE_UID_TAG));
  const [loadBalancer] = account.elbv2().loadBalancers.values();
  return {
    uid,
    vpcId: owned?.id ?? NOTHING,
    subnetIds: subnets.map(({ id }) => id),
    loadBalancer: loadBalancer?.name ?? 'any',
    instance: instance && {
      providerId: `aws:///${ec2.subnets.find(instance.subnetId)?.zone}/${instance.id}`,
      machineUid: instance.tags.get(MACHINE_UID_TAG) ?? '',
    },
  };
};

/**
 * A cluster in the network of the victim. It may have the same name, so that only the namespace distinguishes the two.
 */
const clusterIn = ({ vpcId, subnetIds }: Victim, name: string, loadBalancer: object): Forgery[] => [
  {
    plural: 'awsclusters',
    object: {
      ...{ apiVersion: INFRASTRUCTURE, kind: 'AWSCluster', metadata: { name } },
      ...{ spec: { network: { vpc: { id: vpcId }, subnets: subnetIds.map((id) => ({ id })) }, ...loadBalancer } },
    },
  },
  {
    plural: 'clusters',
    object: {
      ...{
        apiVersion: CORE,
        kind: 'Cluster',
        metadata: { name, labels: { 'cluster.x-k8s.io/cluster-name': CLUSTER } },
      },
      ...{ spec: { infrastructureRef: { apiGroup: INFRASTRUCTURE.split('/')[0], kind: 'AWSCluster', name } } },
    },
  },
];

/** Objects that claim the machines, the Secrets and the health of the victim. */
const claims = ({ uid }: Victim): Forgery[] => {
  const ownerReferences = [{ apiVersion: CORE, kind: 'Cluster', name: CLUSTER, uid, controller: true }];
  const labels = { 'cluster.x-k8s.io/cluster-name': CLUSTER };
  const matchLabels = labels;
  const template = {
    metadata: { labels },
    spec: {
      clusterName: CLUSTER,
      bootstrap: { dataSecretName: 'none' },
      infrastructureRef: { apiGroup: INFRASTRUCTURE.split('/')[0], kind: 'AWSMachineTemplate', name: 'none' },
    },
  };
  const secret = (suffix: string, text: string): Forgery => {
    const data = { value: Buffer.from(text).toString('base64'), 'tls.crt': '', 'tls.key': '' };
    const metadata = { name: `${CLUSTER}-${suffix}`, labels, ownerReferences };
    return { plural: 'secrets', object: { apiVersion: 'v1', kind: 'Secret', metadata, ...{ data } } };
  };
  return [
    secret('kubeconfig', 'apiVersion: v1\nkind: Config\n'),
    secret('ca', ''),
    {
      plural: 'machinesets',
      object: {
        ...{ apiVersion: CORE, kind: 'MachineSet', metadata: { name: 'claim', labels, ownerReferences } },
        ...{ spec: { clusterName: CLUSTER, replicas: 0, selector: { matchLabels }, template } },
      },
    },
    {
      plural: 'machinehealthchecks',
      object: {
        ...{ apiVersion: CORE, kind: 'MachineHealthCheck', metadata: { name: 'claim', ownerReferences } },
        ...{
          spec: {
            ...{ clusterName: CLUSTER, selector: { matchLabels } },
            checks: { nodeStartupTimeoutSeconds: 30 },
          },
        },
      },
    },
  ];
};

/** A Machine that can be launched, with `spec` for its AWSMachine. */
const machine = (name: string, clusterName: string, spec: object): Forgery[] => {
  const metadata = { name, labels: { 'cluster.x-k8s.io/cluster-name': clusterName } };
  const infrastructureRef = { apiGroup: INFRASTRUCTURE.split('/')[0], kind: 'AWSMachine', name };
  return [
    {
      plural: 'awsmachines',
      object: {
        ...{ apiVersion: INFRASTRUCTURE, kind: 'AWSMachine', metadata },
        ...{ spec: { instanceType: 't3.large', sshKeyName: '', ...spec } },
      },
    },
    {
      plural: 'machines',
      object: {
        ...{ apiVersion: CORE, kind: 'Machine', metadata },
        ...{ spec: { clusterName, version: 'v1.34.6', bootstrap: { dataSecretName: BOOTSTRAP }, infrastructureRef } },
      },
    },
  ];
};

/** The number of forged machines and pools that are launched. The others name resources of another namespace. */
export const HOSTILE_INSTANCES = 2;

/** Machines that name an instance of the victim as theirs, copy its tags, or are launched in its subnets. */
const machines = ({ instance, subnetIds }: Victim): Forgery[] => [
  {
    plural: 'secrets',
    object: {
      ...{ apiVersion: 'v1', kind: 'Secret', metadata: { name: BOOTSTRAP } },
      ...{ data: { value: Buffer.from('#cloud-config\n').toString('base64') } },
    },
  },
  ...(instance ? machine('named', CLUSTER, { providerID: instance.providerId }) : []),
  ...(instance ? machine('tagged', 'beside', { additionalTags: { [MACHINE_UID_TAG]: instance.machineUid } }) : []),
  ...machine('launched', 'beside', { subnet: { id: subnetIds[0] } }),
];

/** A MachinePool with one machine, with `spec` for its AWSMachinePool. */
const pool = (name: string, spec: object): Forgery[] => {
  const metadata = { name, labels: { 'cluster.x-k8s.io/cluster-name': 'beside' } };
  const infrastructureRef = { apiGroup: INFRASTRUCTURE.split('/')[0], kind: 'AWSMachinePool', name };
  const machines = {
    ...{ clusterName: 'beside', version: 'v1.34.6', bootstrap: { dataSecretName: BOOTSTRAP } },
    infrastructureRef,
  };
  return [
    {
      plural: 'awsmachinepools',
      object: {
        ...{ apiVersion: INFRASTRUCTURE, kind: 'AWSMachinePool', metadata },
        ...{ spec: { minSize: 1, maxSize: 1, awsLaunchTemplate: { instanceType: 't3.large' }, ...spec } },
      },
    },
    {
      plural: 'machinepools',
      object: {
        ...{ apiVersion: CORE, kind: 'MachinePool', metadata },
        ...{ spec: { clusterName: 'beside', replicas: 1, template: { spec: machines } } },
      },
    },
  ];
};

/** Pools that list an instance of the victim as theirs, use its subnets, or give its tags to their own instances. */
const pools = ({ instance, subnetIds }: Victim): Forgery[] => {
  if (instance === undefined) return [];
  return [
    ...pool('listing', { providerIDList: [instance.providerId] }),
    ...pool('placed', { subnets: [{ id: subnetIds[0] }] }),
    ...pool('tagging', { additionalTags: { [MACHINE_UID_TAG]: instance.machineUid } }),
  ];
};

/** All forgeries, in the order of their creation. */
export const forgeriesFor = (victim: Victim): Forgery[] => [
  ...claims(victim),
  ...clusterIn(victim, CLUSTER, { controlPlaneLoadBalancer: { loadBalancerType: 'nlb', name: victim.loadBalancer } }),
  ...clusterIn(victim, 'beside', {}),
  ...machines(victim),
  ...pools(victim),
];
