/** A hub account manages a cluster in a spoke account, with the real steps over HTTP and the identity's credentials. */
import { AutoScalingClient } from '@aws-sdk/client-auto-scaling';
import { EC2Client } from '@aws-sdk/client-ec2';
import { ElasticLoadBalancingClient } from '@aws-sdk/client-elastic-load-balancing';
import { ElasticLoadBalancingV2Client } from '@aws-sdk/client-elastic-load-balancing-v2';
import { IAMClient } from '@aws-sdk/client-iam';
import { KMS } from '@aws-sdk/client-kms';
import { ServiceQuotasClient } from '@aws-sdk/client-service-quotas';
import { STSClient } from '@aws-sdk/client-sts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RolesAs } from '../../functions/providers/aws/identity/credentials.ts';
import { deletingUnlessUnusable, unlessUnusable } from '../../functions/providers/aws/identity/report.ts';
import { makeScopeOf } from '../../functions/providers/aws/identity/scope-of.ts';
import { deleteLoadBalancer } from '../../functions/providers/aws/load-balancer/delete-load-balancer.ts';
import { loadBalancer } from '../../functions/providers/aws/load-balancer/load-balancer.ts';
import { deleteNetwork, letGoUntouched } from '../../functions/providers/aws/network/delete-network.ts';
import { natGateways } from '../../functions/providers/aws/network/nat-gateways.ts';
import { network } from '../../functions/providers/aws/network/network.ts';
import { type Account, createAccount } from '../../infra/local/account.ts';
import { kinds } from '../../shared/kinds/index.ts';
import { createAccountFacts } from '../../shared/providers/aws/api/account-facts.ts';
import { createBalancingGarbage } from '../../shared/providers/aws/api/balancing-garbage.ts';
import { connectEc2Addresses } from '../../shared/providers/aws/api/ec2-addresses.ts';
import { createEc2Ownership } from '../../shared/providers/aws/api/ec2-ownership.ts';
import { createElbv2 } from '../../shared/providers/aws/load-balancer/api.ts';
import { createClassicElb } from '../../shared/providers/aws/load-balancer/classic/api.ts';
import { createEc2Network } from '../../shared/providers/aws/network/api.ts';
import { createRoles } from '../../shared/providers/aws/roles.ts';
import { makePerScope } from '../../shared/providers/aws/scope.ts';
import { systemRandom } from '../../shared/random.ts';
import { inventory, NOTHING, ONE_ZONE } from './inventory.ts';
import { askForDeletion } from './steps.ts';
import { asTask, KEY, startWorld, type World } from './world.ts';

const HUB = '000000000000';
const SPOKE = '111111111111';
const ROLE = 'controllers.cluster-api-provider-aws.sigs.k8s.io';

let world: World;
let spoke: Account;

/** The functions' own credentials, as Lambda provides them. */
const own = async () => ({ accessKeyId: HUB, secretAccessKey: 'windlass' });

const dependencies = () => {
  const { endpoint, objects, clock } = world;
  const options = { endpoint, region: 'us-east-1', maxAttempts: 1 };
  const roles: RolesAs = async (credentials = own) => createRoles(new STSClient({ ...options, credentials }));
  const ec2 = makePerScope(({ credentials = own }) => {
    const client = new EC2Client({ ...options, credentials });
    return createEc2Network(client, client);
  });
  const account = makePerScope(({ credentials = own }) => {
    const given = { ...options, credentials };
    return createAccountFacts({
      ec2: new EC2Client(given),
      elbv2: new ElasticLoadBalancingV2Client(given),
      elb: new ElasticLoadBalancingClient(given),
      iam: new IAMClient(given),
      kms: new KMS(given),
      quotas: new ServiceQuotasClient(given),
      autoScaling: new AutoScalingClient(given),
    });
  });
  const elbv2 = makePerScope(({ credentials = own }) =>
    createElbv2(new ElasticLoadBalancingV2Client({ ...options, credentials })),
  );
  const classicElb = makePerScope(({ credentials = own }) =>
    createClassicElb(new ElasticLoadBalancingClient({ ...options, credentials })),
  );
  const garbage = makePerScope(({ credentials = own }) => {
    const given = { ...options, credentials };
    return createBalancingGarbage(new ElasticLoadBalancingClient(given), new ElasticLoadBalancingV2Client(given));
  });
  const addresses = makePerScope(({ credentials = own }) => connectEc2Addresses({ ...options, credentials }));
  const ownership = makePerScope(({ credentials = own }) =>
    createEc2Ownership(new EC2Client({ ...options, credentials })),
  );
  const buckets = (): never => {
    throw new Error('no bucket is asked for');
  };
  const scopeOf = makeScopeOf({ objects, clock, roles, accountId: HUB, homeRegion: 'eu-west-1' });
  const ports = { ec2, account, elbv2, classicElb, garbage, addresses, ownership, buckets, resolves: async () => true };
  return { objects, clock, random: systemRandom, scopeOf, ...ports, ...world.memories, accountId: HUB };
};

/** Composed as in the function's handler. */
const makeNetwork = (deps: ReturnType<typeof dependencies>) => unlessUnusable(deps, network(deps), { ready: false });

const heldBy = (account: Account) => {
  const { credentials } = account;
  const client = new EC2Client({ endpoint: world.endpoint, region: 'us-east-1', credentials });
  return inventory({ ...world, account, ec2: createEc2Network(client, client) });
};

const makeIdentity = (externalID: string) =>
  world.objects.ensure(kinds.awsClusterRoleIdentity, {
    apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
    kind: 'AWSClusterRoleIdentity',
    metadata: { name: 'spoke' },
    spec: {
      allowedNamespaces: {},
      roleARN: `arn:aws:iam::${SPOKE}:role/${ROLE}`,
      externalID,
      sourceIdentityRef: { kind: 'AWSClusterControllerIdentity', name: 'default' },
    },
  });

const condition = async (type: string) =>
  (await world.awsCluster()).status?.conditions?.find((one) => one.type === type);

beforeEach(async () => {
  const vpc = { availabilityZoneUsageLimit: 1 };
  world = await startWorld({ network: { vpc }, identityRef: { kind: 'AWSClusterRoleIdentity', name: 'spoke' } });
  const roles = { [ROLE]: { principals: [HUB], externalId: 'handshake' } };
  spoke = createAccount({ ...world.account, accountId: SPOKE, hub: world.account, roles, credentials: undefined });
});
afterEach(() => world.close());

describe('a cluster with the identity of a role in another account', () => {
  it('is created in that account and not in the stack’s own, and leaves nothing there when it is deleted', async () => {
    await makeIdentity('handshake');
    const deps = dependencies();
    for (const step of [makeNetwork(deps), loadBalancer(deps), natGateways(deps)]) {
      expect(await asTask(world.clock, () => step(world.input))).toEqual({ ready: true });
    }
    expect(await heldBy(spoke)).toEqual(ONE_ZONE);
    expect(await heldBy(world.account)).toEqual(NOTHING);
    expect((await condition('PrincipalCredentialRetrieved'))?.status).toBe('True');
    expect((await condition('PrincipalUsageAllowed'))?.status).toBe('True');

    await askForDeletion(world);
    for (let pass = 0; pass < 20; pass += 1) {
      const first = await asTask(world.clock, () => deleteLoadBalancer(deps)(world.input));
      if (first.done && (await asTask(world.clock, () => deleteNetwork(deps)(world.input))).done) break;
      world.clock.advance(5);
    }
    expect(await heldBy(spoke)).toEqual(NOTHING);
  });

  it('waits with a condition if the role cannot be assumed, and continues once it can', async () => {
    await makeIdentity('wrong');
    const deps = dependencies();
    expect(await makeNetwork(deps)(world.input)).toEqual({ ready: false });
    expect(await condition('PrincipalCredentialRetrieved')).toMatchObject({
      status: 'Unknown',
      reason: 'CredentialProviderBuildFailed',
      message: expect.stringMatching(
        new RegExp(
          `^AWSClusterRoleIdentity spoke: spec.roleARN arn:aws:iam::${SPOKE}:role/${ROLE} cannot be assumed: AccessDenied: `,
        ),
      ),
    });
    expect(await condition('Ready')).toMatchObject({ status: 'Unknown' });
    expect(await heldBy(spoke)).toEqual(NOTHING);
    expect(await heldBy(world.account)).toEqual(NOTHING);

    await world.objects.mutate(kinds.awsClusterRoleIdentity, { namespace: '', name: 'spoke' }, (identity) => ({
      ...identity,
      spec: { roleARN: '', ...identity.spec, externalID: 'handshake' },
    }));
    world.clock.advance(11);
    expect(await asTask(world.clock, () => makeNetwork(deps)(world.input))).toEqual({ ready: true });
    expect((await condition('PrincipalCredentialRetrieved'))?.status).toBe('True');
  });
});

describe('the deletion of a cluster whose role cannot be assumed', () => {
  /**
   * The two steps as the handlers compose them, until both are done; undefined if this takes more than a few passes.
   */
  const takeDown = async () => {
    const deps = dependencies();
    const balancer = deletingUnlessUnusable(deps, deleteLoadBalancer(deps));
    const net = deletingUnlessUnusable(deps, deleteNetwork(deps), letGoUntouched(deps));
    for (let pass = 0; pass < 5; pass += 1) {
      const first = await asTask(world.clock, () => balancer(world.input));
      if (first.done && (await asTask(world.clock, () => net(world.input))).done) return true;
      world.clock.advance(15);
    }
    return false;
  };
  const exists = async () => (await world.objects.get(kinds.awsCluster, KEY)) !== undefined;
  const saidLast = async () => {
    const events = await world.objects.list(kinds.event, KEY.namespace);
    return events.filter(({ reason }) => reason === 'DeletedWithoutAWS').map(({ message }) => message);
  };

  it('completes without AWS if nothing was ever created, and reports that', async () => {
    await makeIdentity('wrong');
    expect(await makeNetwork(dependencies())(world.input)).toEqual({ ready: false });
    await askForDeletion(world);
    expect(await takeDown()).toBe(true);
    expect(await exists()).toBe(false);
    expect(await saidLast()).toEqual([expect.stringContaining('AWSClusterRoleIdentity spoke')]);
  });

  it.each([
    ['the identity itself does not exist', async () => {}],
    [
      'the VPC is one that the user named',
      async () => {
        await world.objects.mutate(kinds.awsCluster, KEY, ({ spec, ...rest }) => ({
          ...rest,
          spec: { ...spec, network: { vpc: { id: 'vpc-1' }, subnets: [{ id: 'subnet-1' }] } },
        }));
      },
    ],
  ])('completes without AWS even if %s', async (_, given) => {
    await given();
    await askForDeletion(world);
    expect(await takeDown()).toBe(true);
    expect(await exists()).toBe(false);
  });

  it('waits for the identity if the network was created, and the Ready condition names the identity', async () => {
    await makeIdentity('handshake');
    expect(await asTask(world.clock, () => makeNetwork(dependencies())(world.input))).toEqual({ ready: true });
    await world.objects.mutate(kinds.awsClusterRoleIdentity, { namespace: '', name: 'spoke' }, (identity) => ({
      ...identity,
      spec: { roleARN: '', ...identity.spec, externalID: 'wrong' },
    }));
    // The session of the role that was assumed before has expired.
    world.clock.advance(3700);
    await askForDeletion(world);
    expect(await takeDown()).toBe(false);
    expect(await exists()).toBe(true);
    const ready = await condition('Ready');
    expect(ready?.message).toContain('AWSClusterRoleIdentity spoke: spec.roleARN');
    expect(ready?.message).toBe((await condition('PrincipalCredentialRetrieved'))?.message);
  });

  it.each([
    ['a round of creations', { metadata: { annotations: { 'windlass.dev/network-turn': 'x' } } }],
    ['a VPC that a controller described', { spec: { network: { vpc: { id: 'vpc-1', cidrBlock: '10.0.0.0/16' } } } }],
    [
      'a load balancer of AWS',
      { spec: { controlPlaneEndpoint: { host: 'a-1.elb.us-east-1.amazonaws.com', port: 6443 } } },
    ],
    ['a network that was managed', { status: { networkStatus: { natGatewaysIPs: ['192.0.2.1'] } } }],
  ])('waits for the identity if there is a trace of %s', async (_, trace: Record<string, object>) => {
    await world.objects.mutate(kinds.awsCluster, KEY, (current) => ({
      ...current,
      metadata: { ...current.metadata, ...trace.metadata },
      spec: { ...current.spec, ...trace.spec },
      status: { ...current.status, ...trace.status } as typeof current.status,
    }));
    await askForDeletion(world);
    expect(await takeDown()).toBe(false);
    expect(await exists()).toBe(true);
  });
});
