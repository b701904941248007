/** What a look at a whole fleet costs in calls: objects in memory, instances in a simulated EC2 that nobody boots. */
import { DescribeImagesCommand, EC2Client, RunInstancesCommand } from '@aws-sdk/client-ec2';
import { ElasticLoadBalancingClient } from '@aws-sdk/client-elastic-load-balancing';
import { ElasticLoadBalancingV2Client } from '@aws-sdk/client-elastic-load-balancing-v2';
import { controllerScopeOf } from '../../../functions/aws-scope.ts';
import { balancingView } from '../../../functions/drift/fleet.ts';
import { observeFleet } from '../../../functions/drift/observe.ts';
import { createEc2Fleet, createEc2Schedule } from '../../../shared/aws/ec2-fleet.ts';
import { createEc2Network } from '../../../shared/aws/ec2-network.ts';
import { createEc2Repairs } from '../../../shared/aws/ec2-repairs.ts';
import { ROLE_TAG } from '../../../shared/aws/tags.ts';
import { systemClock } from '../../../shared/clock.ts';
import { KINDS, kinds } from '../../../shared/kinds/index.ts';
import { createMemoryOwnerIndex } from '../../../shared/kube-api/garbage/owner-index.ts';
import { createMemoryStorage } from '../../../shared/kube-api/memory-storage.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import { createObjectClient } from '../../../shared/kube-api/object-client.ts';
import { createRegistry } from '../../../shared/kube-api/registry.ts';
import { silentLog } from '../../../shared/log.ts';
import { systemRandom } from '../../../shared/random.ts';
import { createAccount } from '../../local/account.ts';
import { startAws } from '../../local/aws.ts';
import { createDataPlane } from '../../local/engines/elbv2/data-plane.ts';
import type { SweepFigures } from './aws-figures.ts';

const MACHINES_EACH = 3;
const REGION = 'us-east-1';
/** Of one RunInstances; a subnet has room for about 4,000. */
const BATCH = 500;

const memoryObjects = () => {
  const ownership = { index: createMemoryOwnerIndex() };
  const storage = createMemoryStorage();
  return createObjectClient(
    createRegistry({ resources: KINDS, storage, clock: systemClock, random: systemRandom, ownership }),
  );
};

const CORE = 'cluster.x-k8s.io';
const INFRASTRUCTURE = 'infrastructure.cluster.x-k8s.io';

/** A cluster with its machines, as far as the sweep reads them. */
const addCluster = async (objects: ReturnType<typeof memoryObjects>, name: string): Promise<void> => {
  const put = (kind: (typeof kinds)[keyof typeof kinds], object: object) =>
    objects.ensure(kind as never, object as KubeObject as never);
  const metadataOf = (own: string) => ({ namespace: 'default', name: own });
  const metadata = metadataOf(name);
  const infrastructureRef = { apiGroup: INFRASTRUCTURE, kind: 'AWSCluster', name };
  await put(kinds.cluster, { apiVersion: `${CORE}/v1beta2`, kind: 'Cluster', metadata, spec: { infrastructureRef } });
  const spec = { region: REGION };
  await put(kinds.awsCluster, { apiVersion: `${INFRASTRUCTURE}/v1beta2`, kind: 'AWSCluster', metadata, spec });
  for (let index = 0; index < MACHINES_EACH; index += 1) {
    const own = `${name}-${index}`;
    const reference = { apiGroup: INFRASTRUCTURE, kind: 'AWSMachine', name: own };
    await put(kinds.awsMachine, {
      apiVersion: `${INFRASTRUCTURE}/v1beta2`,
      kind: 'AWSMachine',
      metadata: metadataOf(own),
      spec: { instanceType: 't3.large' },
    });
    await put(kinds.machine, {
      apiVersion: `${CORE}/v1beta2`,
      kind: 'Machine',
      metadata: metadataOf(own),
      spec: { clusterName: name, bootstrap: { dataSecretName: own }, infrastructureRef: reference },
    });
  }
};

const launch = async (ec2: EC2Client, count: number): Promise<void> => {
  const { Images = [] } = await ec2.send(new DescribeImagesCommand({}));
  const [image] = Images;
  for (let left = count; left > 0; left -= BATCH) {
    const size = Math.min(left, BATCH);
    await ec2.send(
      new RunInstancesCommand({
        ImageId: image?.ImageId,
        InstanceType: 't3.large',
        MinCount: size,
        MaxCount: size,
        TagSpecifications: [{ ResourceType: 'instance', Tags: [{ Key: ROLE_TAG, Value: 'node' }] }],
      }),
    );
  }
};

/** The calls of one observation of so many clusters with three machines each. */
export const measureSweep = async (clusters: number): Promise<SweepFigures> => {
  const objects = memoryObjects();
  const calls: Record<string, number> = {};
  const account = createAccount({ clock: systemClock, random: systemRandom, region: REGION });
  let isCounting = false;
  const aws = await startAws({
    account,
    dataPlane: createDataPlane(),
    bindListeners: false,
    onCall: ({ service, operation }) => {
      const name = `${service}:${operation}`;
      if (isCounting) calls[name] = (calls[name] ?? 0) + 1;
    },
  });
  const classic = new ElasticLoadBalancingClient({
    region: REGION,
    endpoint: aws.url,
    credentials: account.credentials,
  });
  const elbv2 = new ElasticLoadBalancingV2Client({
    region: REGION,
    endpoint: aws.url,
    credentials: account.credentials,
  });
  const ec2 = new EC2Client({ region: REGION, endpoint: aws.url, credentials: account.credentials });
  try {
    for (let index = 0; index < clusters; index += 1) await addCluster(objects, `cluster-${index}`);
    const machines = clusters * MACHINES_EACH;
    await launch(ec2, machines);
    isCounting = true;
    const { errors } = await observeFleet({
      objects,
      scopeOf: controllerScopeOf,
      fleet: () => ({ ...createEc2Fleet(ec2), ...createEc2Schedule(ec2) }),
      repairs: () => createEc2Repairs(ec2),
      network: () => createEc2Network(ec2, ec2),
      balancing: () => balancingView(elbv2, classic),
      connect: async () => {
        throw new Error('there is no cluster to be asked');
      },
      sweepMinutes: 5,
      work: { due: async () => [] },
      touch: async () => {},
      collectGarbage: async () => ({ removed: 0 }) as never,
      clock: systemClock,
      log: silentLog,
    });
    if (errors.length > 0) throw errors[0];
    return { clusters, machines, calls };
  } finally {
    ec2.destroy();
    elbv2.destroy();
    classic.destroy();
    account.bus.close();
    await aws.close();
  }
};
