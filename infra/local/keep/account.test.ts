import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AutoScalingClient, CreateAutoScalingGroupCommand } from '@aws-sdk/client-auto-scaling';
import {
  CreateLaunchTemplateCommand,
  CreateVpcCommand,
  DescribeVpcsCommand,
  EC2Client,
  TerminateInstancesCommand,
} from '@aws-sdk/client-ec2';
import { CreateSecretCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { afterAll, expect, it } from 'vitest';
import { systemClock } from '../../../shared/clock.ts';
import { systemRandom } from '../../../shared/random.ts';
import { type Account, createAccount } from '../account.ts';
import { type SimulatedAws, startAws } from '../aws.ts';
import { settle } from '../engines/autoscaling/settle.ts';
import { imagesOf } from '../engines/ec2/images/images.ts';
import { createDataPlane } from '../engines/elbv2/data-plane.ts';
import { makeHandClock, makeSeededRandom } from '../test-aws.ts';
import { keepAccount } from './account.ts';
import { piecesOf, restorePieces, savePieces } from './pieces.ts';
import { openVault, type Vault } from './vault.ts';

const started: SimulatedAws[] = [];
afterAll(() => Promise.all(started.map((aws) => aws.close())));

const serve = async (vault: Vault): Promise<{ account: Account; clients: [EC2Client, SecretsManagerClient] }> => {
  const account = createAccount({ clock: systemClock, random: systemRandom, credentials: vault.read('credentials') });
  const { saveAfter } = keepAccount(account, vault);
  const aws = await startAws({ account, dataPlane: createDataPlane(), bindListeners: false, onCall: saveAfter });
  started.push(aws);
  const client = { endpoint: aws.url, region: 'eu-west-1', credentials: account.credentials };
  return { account, clients: [new EC2Client(client), new SecretsManagerClient(client)] };
};

it('has saved the effects of each answered call in case the process crashes', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'windlass-account-'));
  const first = openVault(directory);
  const { account, clients } = await serve(first);
  const { Vpc } = await clients[0].send(new CreateVpcCommand({ CidrBlock: '10.7.0.0/16' }));
  await clients[1].send(new CreateSecretCommand({ Name: 'kept', SecretString: 'value' }));

  // The first vault stays open, like that of a killed process.
  const again = await serve(openVault(directory));
  const { Vpcs } = await again.clients[0].send(new DescribeVpcsCommand({ VpcIds: [Vpc?.VpcId ?? ''] }));

  expect(again.account.credentials).toEqual(account.credentials);
  expect(Vpcs?.[0]?.CidrBlock).toBe('10.7.0.0/16');
  expect(again.account.secrets('eu-west-1').byName.get('kept')).toEqual(
    account.secrets('eu-west-1').byName.get('kept'),
  );
  expect(again.account.ec2('eu-west-1').counters).toEqual(account.ec2('eu-west-1').counters);
  expect(again.account.ec2('eu-west-1').vpcs.all()).toEqual(account.ec2('eu-west-1').vpcs.all());
});

it('saves all parts of all states, and refuses a state with a part that it cannot save', () => {
  const account = createAccount({ clock: systemClock, random: systemRandom });
  const names = (state: object) => [...piecesOf(state).keys()];
  expect(names(account.ec2()).length).toBeGreaterThan(15);
  expect(names(account.elbv2())).toEqual(['loadBalancers', 'targetGroups', 'listeners', 'counters']);
  expect(names(account.elb())).toEqual(['loadBalancers', 'policies']);
  expect(names(account.autoscaling())).toEqual(['groups', 'buried', 'counters']);
  expect(names(account.fis())).toEqual(['templates', 'experiments']);
  expect(names(account.kms())).toEqual(['keys', 'policies', 'grants']);
  expect(names(account.secrets())).toEqual(['byName']);
  expect(names(account.ssm())).toEqual(['parameters']);
  expect(names(account.s3)).toEqual(['buckets']);
  expect(names(account.principals)).toEqual(['byKey']);
  expect(names(account.loopback)).toEqual(['taken']);
  expect(() => piecesOf({ forgotten: { list: [] } })).toThrow('the state "forgotten" is neither kept nor wiring');
});

it('replaces the contents of a state with what was saved', () => {
  const vault = openVault(mkdtempSync(join(tmpdir(), 'windlass-pieces-')));
  const state = (one: string, count: number) => ({
    map: new Map([[one, 1]]),
    set: new Set([one]),
    counters: { count },
  });
  savePieces(vault, state('kept', 7));
  const other = state('fresh', 0);
  restorePieces(vault, other);
  expect(other).toEqual(state('kept', 7));
});

it('saves work in progress of an Auto Scaling group, and continues it', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'windlass-groups-'));
  const clock = makeHandClock();
  const start = async () => {
    const account = createAccount({ clock, random: makeSeededRandom('keep') });
    const { saveAfter, regions } = keepAccount(account, openVault(directory));
    for (const region of regions) settle(account.autoscaling(region));
    const aws = await startAws({ account, dataPlane: createDataPlane(), bindListeners: false, onCall: saveAfter });
    started.push(aws);
    const client = { endpoint: aws.url, region: 'us-east-1', credentials: account.credentials };
    return { account, ec2: new EC2Client(client), groups: new AutoScalingClient(client) };
  };
  const first = await start();
  const [image = ''] = imagesOf('us-east-1').keys();
  const LaunchTemplateData = { ImageId: image, InstanceType: 't3.large' as const };
  await first.ec2.send(new CreateLaunchTemplateCommand({ LaunchTemplateName: 'workers', LaunchTemplateData }));
  await first.groups.send(
    new CreateAutoScalingGroupCommand({
      AutoScalingGroupName: 'pool',
      ...{ MinSize: 1, MaxSize: 2, AvailabilityZones: ['us-east-1a'] },
      LaunchTemplate: { LaunchTemplateName: 'workers' },
    }),
  );
  clock.advance(500);
  await new Promise((resolve) => setImmediate(resolve));
  first.account.bus.close();

  const again = await start();
  expect(again.account.autoscaling().groups).toEqual(first.account.autoscaling().groups);
  const [member] = again.account.autoscaling().groups.get('pool')?.members.values() ?? [];
  expect(member?.state).toBe('InService');
  await again.ec2.send(new TerminateInstancesCommand({ InstanceIds: [member?.id ?? ''] }));
  for (let look = 0; look < 4; look += 1) {
    clock.advance(500);
    await new Promise((resolve) => setImmediate(resolve));
  }
  const states = [...(again.account.autoscaling().groups.get('pool')?.members.values() ?? [])];
  expect(states).toMatchObject([{ state: 'InService' }]);
  expect(states[0]?.id).not.toBe(member?.id);
});
