/** Clusters that refer to alice's resources by name, id or address. They are admitted, but must do no harm. */
import type { AWSCluster, Cluster, Machine } from '../../../../shared/kinds/index.ts';
import { conditionOf } from '../../../end-to-end/laptop.ts';
import type { Attack } from '../attack.ts';
import { ATTACKER, CLUSTER, MERGE, pathOf, VICTIM, type World } from '../world.ts';

const GROUP = 'infrastructure.cluster.x-k8s.io';

interface ClusterParts {
  name: string;
  infrastructure?: object;
  cluster?: object;
}

/** Creates a cluster without machines as mallory. */
const makeCluster = async ({ mallory }: World, { name, infrastructure = {}, cluster = {} }: ClusterParts) => {
  await mallory.send('POST', pathOf(ATTACKER, 'awsclusters', 'infrastructure'), {
    apiVersion: `${GROUP}/v1beta2`,
    kind: 'AWSCluster',
    metadata: { name, namespace: ATTACKER },
    spec: {
      region: 'us-east-1',
      sshKeyName: '',
      controlPlaneLoadBalancer: { loadBalancerType: 'nlb' },
      network: { vpc: { availabilityZoneUsageLimit: 1 } },
      ...infrastructure,
    },
  });
  await mallory.send('POST', pathOf(ATTACKER, 'clusters'), {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Cluster',
    metadata: { name, namespace: ATTACKER },
    spec: { infrastructureRef: { apiGroup: GROUP, kind: 'AWSCluster', name }, ...cluster },
  });
};

const awsClusterOf = ({ laptop }: World, name: string, namespace = ATTACKER) =>
  laptop.get<AWSCluster>(`${pathOf(namespace, 'awsclusters', 'infrastructure')}/${name}`);

/** Waits until a reconciliation has set a condition, whatever it reports. */
const untilSeen = (world: World, name: string): Promise<unknown> =>
  world.laptop.until(`the cluster ${name} has been looked at`, async () => {
    const found = await awsClusterOf(world, name);
    return (found?.status?.conditions?.length ?? 0) > 0 && conditionOf(found, 'Ready') !== undefined;
  });

const remove = async (world: World, name: string): Promise<void> => {
  await world.mallory.send('DELETE', `${pathOf(ATTACKER, 'clusters')}/${name}`);
  await world.laptop.until(
    `the cluster ${name} is gone`,
    async () => (await world.laptop.get<Cluster>(`${pathOf(ATTACKER, 'clusters')}/${name}`)) === undefined,
  );
};

/** Creates a cluster, waits for its reconciliation, and deletes it. */
const comesAndGoes = async (world: World, parts: ClusterParts): Promise<void> => {
  await makeCluster(world, parts);
  await untilSeen(world, parts.name);
  await remove(world, parts.name);
};

const networkOf = async (world: World) => (await awsClusterOf(world, CLUSTER, VICTIM))?.spec.network;

export const CLUSTERS: readonly Attack[] = [
  {
    what: 'creates and deletes a cluster of the same name',
    harmless: (world) => comesAndGoes(world, { name: CLUSTER }),
  },
  {
    what: 'creates and deletes a cluster of the same name in the VPC of alice',
    harmless: async (world) => {
      const network = await networkOf(world);
      await comesAndGoes(world, {
        name: CLUSTER,
        infrastructure: {
          network: {
            vpc: { id: network?.vpc?.id },
            subnets: network?.subnets?.map(({ resourceID }) => ({ id: resourceID })),
          },
        },
      });
    },
  },
  {
    what: 'creates and deletes a cluster with the security groups of alice',
    harmless: async (world) => {
      const { status } = (await awsClusterOf(world, CLUSTER, VICTIM)) ?? {};
      const groups = Object.entries(status?.networkStatus?.securityGroups ?? {});
      const overrides = Object.fromEntries(groups.map(([role, group]) => [role, (group as { id?: string }).id]));
      await comesAndGoes(world, {
        name: 'groups',
        infrastructure: { network: { vpc: { availabilityZoneUsageLimit: 1 }, securityGroupOverrides: overrides } },
      });
    },
  },
  {
    what: 'creates and deletes a cluster with the load balancer of alice',
    harmless: async (world) => {
      const name = (await awsClusterOf(world, CLUSTER, VICTIM))?.spec.controlPlaneLoadBalancer?.name;
      const balancer = { name: name ?? `${CLUSTER}-apiserver`, loadBalancerType: 'nlb' };
      await comesAndGoes(world, { name: 'balancer', infrastructure: { controlPlaneLoadBalancer: balancer } });
    },
  },
  {
    what: 'creates and deletes a cluster whose endpoint is that of alice',
    harmless: (world) => {
      const controlPlaneEndpoint = { host: world.victim.endpoint, port: 6443 };
      return comesAndGoes(world, { name: 'endpoint', cluster: { controlPlaneEndpoint } });
    },
  },
  {
    what: 'creates and deletes a cluster with the identity of another namespace',
    harmless: async (world) => {
      await world.laptop.api.send('POST', `/apis/${GROUP}/v1beta2/awsclusterroleidentities`, {
        apiVersion: `${GROUP}/v1beta2`,
        kind: 'AWSClusterRoleIdentity',
        metadata: { name: 'alice' },
        spec: {
          roleARN: 'arn:aws:iam::111111111111:role/controllers.cluster-api-provider-aws.sigs.k8s.io',
          externalID: 'windlass',
          sourceIdentityRef: { kind: 'AWSClusterControllerIdentity', name: 'default' },
          allowedNamespaces: { list: [VICTIM] },
        },
      });
      const identityRef = { kind: 'AWSClusterRoleIdentity', name: 'alice' };
      await makeCluster(world, { name: 'identity', infrastructure: { identityRef } });
      await untilSeen(world, 'identity');
      const { status } = (await awsClusterOf(world, 'identity')) ?? {};
      if (JSON.stringify(status).includes('vpc-')) throw new Error('a network was made as an identity of alice');
      const path = `/apis/${GROUP}/v1beta2/awsclusterroleidentities/alice`;
      await world.laptop.api.send('PATCH', path, { spec: { allowedNamespaces: { list: [ATTACKER] } } }, MERGE);
      await remove(world, 'identity');
    },
  },
  {
    what: 'claims a machine of alice as its own by owner references and labels, and checks its health',
    harmless: async (world) => {
      const { mallory, victim } = world;
      const { metadata } = victim.machine;
      await mallory.send('POST', pathOf(ATTACKER, 'machinehealthchecks'), {
        apiVersion: 'cluster.x-k8s.io/v1beta2',
        kind: 'MachineHealthCheck',
        metadata: { name: 'all', namespace: ATTACKER },
        spec: {
          clusterName: CLUSTER,
          selector: { matchLabels: { 'cluster.x-k8s.io/cluster-name': CLUSTER } },
          checks: {
            nodeStartupTimeoutSeconds: 30,
            unhealthyNodeConditions: [{ type: 'Ready', status: 'True', timeoutSeconds: 1 }],
          },
        },
      });
      await mallory.send('POST', pathOf(ATTACKER, 'secrets', 'v1'), {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: {
          name: `${CLUSTER}-ca`,
          namespace: ATTACKER,
          labels: { 'cluster.x-k8s.io/cluster-name': CLUSTER },
          ownerReferences: [
            {
              apiVersion: 'cluster.x-k8s.io/v1beta2',
              kind: 'Machine',
              name: metadata.name,
              uid: metadata.uid,
              controller: true,
            },
          ],
        },
        type: 'cluster.x-k8s.io/secret',
        data: {},
      });
      await makeCluster(world, { name: CLUSTER });
      await untilSeen(world, CLUSTER);
      await remove(world, CLUSTER);
    },
  },
  {
    what: 'adopts the machines of alice into a MachineSet by their labels',
    harmless: async (world) => {
      const { labels = {} } = world.victim.machine.metadata;
      await world.mallory.send('POST', pathOf(ATTACKER, 'machinesets'), {
        apiVersion: 'cluster.x-k8s.io/v1beta2',
        kind: 'MachineSet',
        metadata: { name: 'all', namespace: ATTACKER },
        spec: {
          clusterName: 'sets',
          replicas: 0,
          selector: { matchLabels: labels },
          template: {
            metadata: { labels },
            spec: {
              clusterName: 'sets',
              bootstrap: { dataSecretName: 'none' },
              infrastructureRef: { apiGroup: GROUP, kind: 'AWSMachineTemplate', name: 'none' },
            },
          },
        },
      });
      await comesAndGoes(world, { name: 'sets' });
    },
  },
  {
    what: 'has ClusterResourceSets apply objects to the clusters of others',
    harmless: async (world) => {
      const content = JSON.stringify({
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'ClusterRoleBinding',
        metadata: { name: 'mallory' },
        subjects: [{ kind: 'User', name: 'mallory', apiGroup: 'rbac.authorization.k8s.io' }],
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
      });
      await world.mallory.send('POST', pathOf(ATTACKER, 'configmaps', 'v1'), {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'evil', namespace: ATTACKER },
        data: { 'evil.json': content },
      });
      await world.mallory.send(
        'POST',
        pathOf(ATTACKER, 'clusterresourcesets').replace('cluster.x-k8s.io', 'addons.cluster.x-k8s.io'),
        {
          apiVersion: 'addons.cluster.x-k8s.io/v1beta2',
          kind: 'ClusterResourceSet',
          metadata: { name: 'evil', namespace: ATTACKER },
          spec: {
            clusterSelector: { matchExpressions: [{ key: 'any', operator: 'DoesNotExist' }] },
            resources: [{ kind: 'ConfigMap', name: 'evil' }],
          },
        },
      );
      await comesAndGoes(world, { name: 'resources' });
      const bindings = await world.laptop.get<unknown>(
        `${pathOf(VICTIM, 'clusterresourcesetbindings').replace('cluster.x-k8s.io', 'addons.cluster.x-k8s.io')}/${CLUSTER}`,
      );
      if (bindings !== undefined) throw new Error('the set has reached the cluster of alice');
    },
  },
  {
    what: 'gives its objects unknown finalizers',
    harmless: async (world) => {
      await makeCluster(world, { name: 'finalizers' });
      const path = `${pathOf(ATTACKER, 'clusters')}/finalizers`;
      const found = await world.laptop.get<Cluster>(path);
      const finalizers = [...(found?.metadata.finalizers ?? []), 'mallory.example/for-ever'];
      await world.mallory.send('PATCH', path, { metadata: { finalizers } }, MERGE);
      await untilSeen(world, 'finalizers');
      await world.mallory.send('DELETE', path);
      await world.laptop.until('only the strange finalizer is left', async () => {
        const found = await world.laptop.get<Cluster>(path);
        return found?.metadata.finalizers?.join() === 'mallory.example/for-ever';
      });
      await world.mallory.send('PATCH', path, { metadata: { finalizers: [] } }, MERGE);
      await world.laptop.until('it is gone', async () => (await world.laptop.get(path)) === undefined);
    },
  },
  {
    what: 'repeatedly deletes a machine that has the name of one of alice',
    harmless: async (world) => {
      const { name } = world.victim.machine.metadata;
      const path = pathOf(ATTACKER, 'machines');
      for (let round = 0; round < 2; round += 1) {
        await world.mallory.send('POST', path, {
          apiVersion: 'cluster.x-k8s.io/v1beta2',
          kind: 'Machine',
          metadata: { name, namespace: ATTACKER, uid: world.victim.machine.metadata.uid },
          spec: {
            clusterName: CLUSTER,
            bootstrap: { dataSecretName: 'none' },
            infrastructureRef: { apiGroup: GROUP, kind: 'AWSMachine', name },
          },
        });
        const made = await world.laptop.get<Machine>(`${path}/${name}`);
        if (made?.metadata.uid === world.victim.machine.metadata.uid) throw new Error('a uid was taken from a client');
        await world.mallory.send('DELETE', `${path}/${name}`);
        await world.laptop.until('it is gone', async () => (await world.laptop.get(`${path}/${name}`)) === undefined);
      }
    },
  },
];
