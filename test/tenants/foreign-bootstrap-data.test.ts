/**
 * The editor of a namespace refers to the secrets or the object with the bootstrap data of another tenant's machine.
 */
import { ListSecretsCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { PutParameterCommand, SSMClient } from '@aws-sdk/client-ssm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { controllerScopeOf } from '../../functions/providers/aws/aws-scope.ts';
import { deleteBootstrapRemains } from '../../functions/providers/aws/bootstrap-remains.ts';
import { createCapacityMemory } from '../../functions/providers/aws/instance/capacity-memory.ts';
import { makeInstanceSteps } from '../../functions/providers/aws/instance/steps.ts';
import { readAwsMachine } from '../../functions/providers/aws/read-machine.ts';
import { type AWSMachine, type Event, kinds } from '../../shared/kinds/index.ts';
import { createBootstrapSecrets } from '../../shared/providers/aws/api/bootstrap-secrets.ts';
import { createDeletedSecrets } from '../../shared/providers/aws/api/deleted-secrets.ts';
import { createEc2Instances } from '../../shared/providers/aws/api/ec2-instances.ts';
import { fakeBootstrapObjects } from '../../shared/providers/aws/api/test-bootstrap-objects.ts';
import { DEFAULT_INSTANCE_PROFILES } from '../../shared/providers/aws/plan/launch/profiles.ts';
import { buildTags, toTagList } from '../../shared/providers/aws/tags.ts';
import { systemRandom } from '../../shared/random.ts';
import type { MachineInput } from '../../shared/work/payloads.ts';
import { type Installation, startInstallation } from './installation.ts';
import { awsClusterOf, awsMachineOf, clusterOf, machineInput, machineOf } from './objects.ts';

let world: Installation;
let secretsManager: SecretsManagerClient;
let ssm: SSMClient;
beforeEach(async () => {
  world = await startInstallation();
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const options = { endpoint: world.endpoint, region: 'us-east-1', credentials, maxAttempts: 1 };
  secretsManager = new SecretsManagerClient(options);
  ssm = new SSMClient(options);
});
afterEach(async () => {
  secretsManager.destroy();
  ssm.destroy();
  await world.close();
});

const context = { log: { info() {}, warn() {}, error() {}, with: () => context.log } } as never as Parameters<
  ReturnType<typeof makeInstanceSteps>['launchInstance']
>[1];

const VICTIM = { cluster: { namespace: 'victim', name: 'mine' }, machine: 'm', machineUid: 'uid-of-the-victim' };
const TAGS = buildTags({
  cluster: VICTIM.cluster,
  name: 'm',
  role: 'control-plane',
  extra: { MachineName: 'victim/m', 'windlass.dev/machine-uid': VICTIM.machineUid },
});
const PREFIX = 'aws.cluster.x-k8s.io/5bcd1d9a-0f4e-4d0a-9d0b-111111111111';

const stored = new Map<string, string>();
const storesOf = () => ({
  bootstrapSecrets: createBootstrapSecrets({ secretsManager, ssm }),
  bootstrapObjects: fakeBootstrapObjects(stored),
});

/** The victim's secret, which its machine has not read yet. */
const makeSecret = () =>
  storesOf().bootstrapSecrets.create({
    ...{ name: `${PREFIX}-0`, data: Buffer.from("the victim's keys"), tags: TAGS, owner: VICTIM },
    token: '5bcd1d9a-0f4e-4d0a-9d0b-222222222222',
  });

const names = async (): Promise<(string | undefined)[]> =>
  ((await secretsManager.send(new ListSecretsCommand({}))).SecretList ?? []).map(({ Name }) => Name);

/** A machine of the editor that is ready to be launched. */
const plantMachine = async (spec: object, annotations: Record<string, string> = {}): Promise<MachineInput> => {
  const { evil } = world;
  const uid = await world.plant(clusterOf(evil, 'mine'));
  const subnetId = await world.subnetId();
  await world.plant(awsClusterOf(evil, 'mine', { sshKeyName: '' }));
  const groups = await world.groupId();
  await world.objects.mutate(kinds.awsCluster, { namespace: evil, name: 'mine' }, (current) => ({
    ...current,
    spec: {
      ...current.spec,
      network: { subnets: [{ id: subnetId, resourceID: subnetId, availabilityZone: 'us-east-1a' }] },
    } as typeof current.spec,
    status: { networkStatus: { securityGroups: { node: { id: groups, name: 'n' }, lb: { id: groups, name: 'l' } } } },
  }));
  const data = { value: Buffer.from('#cloud-config\n').toString('base64') };
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { namespace: evil, name: 'm' }, data };
  await world.plant(secret as never);
  const awsMachine = awsMachineOf(evil, 'm', 'mine', spec);
  await world.plant({ ...awsMachine, metadata: { ...awsMachine.metadata, annotations } });
  const machineUid = await world.plant(machineOf(evil, 'm', 'mine'));
  return machineInput(evil, 'm', machineUid, { name: 'mine', uid });
};

const launch = (input: MachineInput) => {
  const { objects, clock, clients } = world;
  const launches = {
    imageParameters: { imageId: async () => '' },
    capacity: createCapacityMemory(),
    waits: { end: async () => {} },
  };
  const steps = makeInstanceSteps({
    ...{ objects, clock, random: systemRandom, touch: async () => {}, scopeOf: controllerScopeOf },
    work: { extendMachine: async () => true } as never,
    ec2: () => createEc2Instances(clients.ec2, clients.ec2),
    stores: storesOf,
    launches: () => launches,
    instanceProfiles: DEFAULT_INSTANCE_PROFILES,
  });
  return steps.launchInstance(input, context);
};

const removeRemains = async ({ machine }: MachineInput) => {
  const snapshot = await readAwsMachine(world.objects, machine);
  if (!snapshot) throw new Error('no machine');
  const { objects, clock } = world;
  await deleteBootstrapRemains({ objects, clock, ...storesOf(), component: 'test' }, snapshot);
};

const told = async (): Promise<(string | undefined)[]> =>
  (await world.objects.list<Event>(kinds.event, world.evil)).map(({ reason }) => reason);

const awsMachine = () => world.objects.get<AWSMachine>(kinds.awsMachine, { namespace: world.evil, name: 'm' });

describe('the bootstrap data of another tenant', () => {
  it('in a secret is not deleted', async () => {
    await makeSecret();
    const input = await plantMachine({ cloudInit: { secretPrefix: PREFIX, secretCount: 1 } });
    await removeRemains(input);
    expect(await names()).toEqual([`${PREFIX}-0`]);
    expect(await told()).toContain('BootstrapSecretNotOwned');
  });

  it('in a parameter is not deleted', async () => {
    const Name = '/cluster.x-k8s.io/5bcd1d9a-0f4e-4d0a-9d0b-111111111111/0';
    const input = { Name, Value: 'x', Type: 'SecureString' as const, Tags: toTagList(TAGS) };
    await ssm.send(new PutParameterCommand(input));
    const cloudInit = { secretPrefix: Name.slice(0, -2), secretCount: 1, secureSecretsBackend: 'ssm-parameter-store' };
    await removeRemains(await plantMachine({ cloudInit }));
    expect([...world.account.ssm().parameters.keys()]).toContain(Name);
  });

  it('is not used to boot a machine', async () => {
    await makeSecret();
    const input = await plantMachine({ ami: await world.ami(), cloudInit: { secretPrefix: PREFIX, secretCount: 1 } });
    await expect(launch(input)).rejects.toMatchObject({ name: 'Refused' });
    expect(await world.instances()).toEqual([]);
  });

  it('is not found for a machine of the editor after it was marked for deletion, so it is not restored', async () => {
    await makeSecret();
    const port = createDeletedSecrets(secretsManager);
    const { DeleteSecretCommand } = await import('@aws-sdk/client-secrets-manager');
    await secretsManager.send(new DeleteSecretCommand({ SecretId: `${PREFIX}-0`, RecoveryWindowInDays: 7 }));
    expect(await port.isScheduledForDeletion(`${PREFIX}-0`, VICTIM)).toBe(true);
    expect(
      await port.isScheduledForDeletion(`${PREFIX}-0`, { ...VICTIM, cluster: { namespace: 'evil', name: 'mine' } }),
    ).toBe(false);
  });

  it('in a bucket is not deleted', async () => {
    stored.set('cluster-api-provider-aws-theirs/node/m-uid-of-theirs', "the victim's keys");
    const place = 'cluster-api-provider-aws-theirs/node/m-uid-of-theirs';
    const input = await plantMachine({}, { 'windlass.dev/bootstrap-object': place });
    await removeRemains(input);
    expect([...stored.keys()]).toEqual([place]);

    // An annotation is not a record. Besides, the object is checked even if the record itself names it.
    const key = { namespace: world.evil, name: input.machine.name };
    await world.objects.mutate(kinds.awsMachine, key, (current) => ({
      ...current,
      metadata: { ...current.metadata, annotations: { 'windlass.dev/bootstrap-object': place } },
    }));
    await removeRemains(input);
    expect([...stored.keys()]).toEqual([place]);
    expect(await told()).toContain('BootstrapObjectNotOwned');
    stored.clear();
  });
});

describe("a machine's own bootstrap data", () => {
  it('has a name that nobody can guess and that is the same in every run, and is deleted', async () => {
    const input = await plantMachine({ ami: await world.ami() });
    await launch(input);
    const [name, ...others] = await names();
    expect(others).toEqual([]);
    const { metadata, spec } = (await awsMachine()) as AWSMachine;
    expect(name).toBe(`${spec.cloudInit?.secretPrefix}-0`);
    const [instance] = await world.instances();
    const shown = JSON.stringify([instance?.Tags, instance?.ClientToken, metadata.uid, input.machine.uid]);
    expect(shown).not.toContain(name?.slice('aws.cluster.x-k8s.io/'.length, -2));

    await world.objects.mutate(kinds.awsMachine, { namespace: world.evil, name: 'm' }, (current) => {
      const { instanceID: _id, providerID: _provider, ...rest } = current.spec;
      return { ...current, spec: rest as typeof current.spec };
    });
    await launch(input);
    expect(await names()).toEqual([name]);
    expect(await world.instances()).toHaveLength(1);

    await removeRemains(input);
    expect(await names()).toEqual([]);
  });
});
