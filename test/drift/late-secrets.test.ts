/** Secrets that a request without an answer creates after the bootstrap data was deleted. */
import { CreateSecretCommand, ListSecretsCommand } from '@aws-sdk/client-secrets-manager';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type AWSMachine, kinds } from '../../shared/kinds/index.ts';
import { MACHINE_UID_TAG } from '../../shared/providers/aws/plan/launch/request.ts';
import { NAMESPACE } from '../cluster-infrastructure/world.ts';
import { type DriftWorld, secretsOf, startDriftWorld } from './drift-world.ts';

const NAME = { namespace: NAMESPACE, name: 'red-control-plane' };
const ENTRY = 'windlass.dev/late-secrets';
const PREFIX = 'aws.cluster.x-k8s.io/00000000-0000-4000-8000-000000000000';

let world: DriftWorld;
beforeEach(async () => {
  world = await startDriftWorld();
});
afterEach(() => world.close());

const infrastructure = (): Promise<AWSMachine | undefined> => world.objects.get(kinds.awsMachine, NAME);

/** Creates a secret of the machine with this uid, and records it as one that may arrive late. */
const arrive = async (ageSeconds: number, uid?: string, secretPrefix = PREFIX): Promise<void> => {
  const own = (await world.objects.get(kinds.machine, NAME))?.metadata.uid;
  const Tags = [{ Key: MACHINE_UID_TAG, Value: uid ?? own }];
  await secretsOf(world).send(
    new CreateSecretCommand({ Name: `${PREFIX}-0`, SecretBinary: Buffer.from('bootstrap data'), Tags }),
  );
  const since = new Date(world.clock.now().getTime() - ageSeconds * 1000).toISOString();
  const late = JSON.stringify({ secretPrefix, secretCount: 1, since });
  await world.objects.mutate(kinds.awsMachine, NAME, ({ metadata, ...rest }) => ({
    ...rest,
    metadata: { ...metadata, annotations: { ...metadata.annotations, [ENTRY]: late } },
  }));
  world.calls.length = 0;
};

const secrets = async (): Promise<number> =>
  (await secretsOf(world).send(new ListSecretsCommand({}))).SecretList?.length ?? 0;

const isRecorded = async (): Promise<boolean> => (await infrastructure())?.metadata.annotations?.[ENTRY] !== undefined;

const events = async (): Promise<string[]> =>
  (await world.objects.list(kinds.event, NAMESPACE))
    .filter(({ involvedObject }) => involvedObject?.kind === 'AWSMachine')
    .map(({ reason }) => reason ?? '');

const OLD_SECONDS = 301;

describe('a late secret of an existing machine', () => {
  it('is deleted by a sweep when no request can create it any more, and only once', async () => {
    await arrive(OLD_SECONDS);

    await world.sweep();
    expect(await secrets()).toBe(0);
    expect(await isRecorded()).toBe(false);
    expect(await events()).toContain('SuccessfulDeleteBootstrapSecret');

    world.calls.length = 0;
    await world.sweep();
    expect(world.calls).toEqual([]);
  });

  it('stays while a request may still create it', async () => {
    await arrive(OLD_SECONDS - 10);
    await world.sweep();
    expect(await secrets()).toBe(1);
    expect(await isRecorded()).toBe(true);
  });

  it('stays while the machine may still fetch it', async () => {
    await world.objects.mutate(kinds.awsMachine, NAME, ({ spec, ...rest }) => ({
      ...rest,
      spec: { ...spec, cloudInit: { secretPrefix: PREFIX, secretCount: 1 } },
    }));
    await arrive(OLD_SECONDS);
    await world.sweep();
    expect(await secrets()).toBe(1);
    expect(await isRecorded()).toBe(true);
  });

  it('stays while its cluster is paused', async () => {
    await arrive(OLD_SECONDS);
    const cluster = { namespace: NAMESPACE, name: (await world.cluster()).metadata.name };
    await world.objects.mutate(kinds.cluster, cluster, ({ spec, ...rest }) => ({
      ...rest,
      spec: { ...spec, paused: true },
    }));
    await world.sweep();
    expect(await secrets()).toBe(1);
    expect(await isRecorded()).toBe(true);
  });

  it('stays if it is that of another machine, and is looked at only once', async () => {
    await arrive(OLD_SECONDS, 'uid-of-the-victim');
    await world.sweep();
    expect(await secrets()).toBe(1);
    expect(await isRecorded()).toBe(false);
    expect(await events()).not.toContain('SuccessfulDeleteBootstrapSecret');
    expect(world.calls).toEqual([]);
  });

  it('stays in the Parameter Store until its machine is deleted', async () => {
    await arrive(OLD_SECONDS, undefined, '/cluster.x-k8s.io/00000000-0000-4000-8000-000000000000');
    await world.sweep();
    expect(await isRecorded()).toBe(true);
    expect(world.calls).toEqual([]);
  });
});
