/** Bootstrap data that a request without an answer stores after it was deleted. */
import { GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { CreateSecretCommand, ListSecretsCommand } from '@aws-sdk/client-secrets-manager';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type AWSMachine, kinds, type Machine } from '../../shared/kinds/index.ts';
import { createBuckets } from '../../shared/providers/aws/api/buckets.ts';
import { MACHINE_UID_TAG } from '../../shared/providers/aws/plan/launch/request.ts';
import { NAMESPACE } from '../cluster-infrastructure/world.ts';
import { type DriftWorld, s3Of, secretsOf, startDriftWorld } from './drift-world.ts';

const NAME = { namespace: NAMESPACE, name: 'red-control-plane' };
const ENTRY = 'windlass.dev/late-secrets';
const PREFIX = 'aws.cluster.x-k8s.io/00000000-0000-4000-8000-000000000000';

let world: DriftWorld;
beforeEach(async () => {
  world = await startDriftWorld();
});
afterEach(() => world.close());

const infrastructure = (): Promise<AWSMachine | undefined> => world.objects.get(kinds.awsMachine, NAME);

const remember = async (entries: Record<string, string>): Promise<void> => {
  await world.objects.mutate(kinds.awsMachine, NAME, ({ metadata, ...rest }) => ({
    ...rest,
    metadata: { ...metadata, annotations: { ...metadata.annotations, ...entries } },
  }));
  world.calls.length = 0;
};

/** Creates a secret of the machine with this uid, and records it as one that may arrive late. */
const arrive = async (ageSeconds: number, uid?: string, secretPrefix = PREFIX): Promise<void> => {
  const own = (await world.objects.get(kinds.machine, NAME))?.metadata.uid;
  const Tags = [{ Key: MACHINE_UID_TAG, Value: uid ?? own }];
  await secretsOf(world).send(
    new CreateSecretCommand({ Name: `${PREFIX}-0`, SecretBinary: Buffer.from('bootstrap data'), Tags }),
  );
  const since = new Date(world.clock.now().getTime() - ageSeconds * 1000).toISOString();
  const late = JSON.stringify({ secretPrefix, secretCount: 1, since });
  await remember({ [ENTRY]: late });
};

const setNode = async (nodeRef: { name: string } | undefined): Promise<void> => {
  await world.objects.mutate(kinds.machine, NAME, (current): Machine => {
    const { nodeRef: _, ...status } = current.status ?? {};
    return { ...current, status: nodeRef ? { ...status, nodeRef } : status };
  });
};

const secrets = async (): Promise<number> =>
  (await secretsOf(world).send(new ListSecretsCommand({}))).SecretList?.length ?? 0;

const isRecorded = async (entry = ENTRY): Promise<boolean> =>
  (await infrastructure())?.metadata.annotations?.[entry] !== undefined;

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
    await setNode(undefined);
    await arrive(OLD_SECONDS);
    await world.sweep();
    expect(await secrets()).toBe(1);
    expect(await isRecorded()).toBe(true);
  });

  it('is also deleted if its deletion has failed when the node had joined', async () => {
    await arrive(0);
    await world.objects.mutate(kinds.awsMachine, NAME, ({ spec, ...rest }) => ({
      ...rest,
      spec: { ...spec, cloudInit: { secretPrefix: PREFIX, secretCount: 1 } },
    }));
    await world.sweep();
    expect(await secrets()).toBe(0);
    expect((await infrastructure())?.spec.cloudInit).not.toHaveProperty('secretPrefix');
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

describe('a late object of an existing machine', () => {
  const BUCKET = 'cluster-api-provider-aws-red';
  const OBJECT_ENTRY = 'windlass.dev/late-object';

  const keyOf = async (): Promise<string> => `node/${NAME.name}-${(await infrastructure())?.metadata.uid}`;

  /** Stores an object, and records it as one that may arrive late. */
  const arriveAt = async (key: string, ageSeconds: number): Promise<void> => {
    const s3 = s3Of(world);
    await createBuckets(s3).create(BUCKET, 'us-east-1', {});
    await s3.send(new PutObjectCommand({ Bucket: BUCKET, Key: key, Body: '{}' }));
    const since = new Date(world.clock.now().getTime() - ageSeconds * 1000).toISOString();
    await remember({ [OBJECT_ENTRY]: JSON.stringify({ bucket: BUCKET, key, since }) });
  };

  const exists = (key: string): Promise<boolean> =>
    s3Of(world)
      .send(new GetObjectCommand({ Bucket: BUCKET, Key: key }))
      .then(
        () => true,
        (error: Error) => {
          if (error.name !== 'NoSuchKey') throw error;
          return false;
        },
      );

  it('is deleted by a sweep when no request can store it any more, and only once', async () => {
    await arriveAt(await keyOf(), OLD_SECONDS);

    await world.sweep();
    expect(await exists(await keyOf())).toBe(false);
    expect(await isRecorded(OBJECT_ENTRY)).toBe(false);
    expect(await events()).toContain('SuccessfulDeleteBootstrapObject');

    world.calls.length = 0;
    await world.sweep();
    expect(world.calls).toEqual([]);
  });

  it('stays while a request may still store it', async () => {
    await arriveAt(await keyOf(), OLD_SECONDS - 10);
    await world.sweep();
    expect(await exists(await keyOf())).toBe(true);
    expect(await isRecorded(OBJECT_ENTRY)).toBe(true);
  });

  it('stays while the machine may still fetch it', async () => {
    await arriveAt(await keyOf(), OLD_SECONDS);
    await setNode(undefined);
    await remember({ 'windlass.dev/bootstrap-object': `${BUCKET}/${await keyOf()}` });
    await world.sweep();
    expect(await exists(await keyOf())).toBe(true);
    expect(await isRecorded(OBJECT_ENTRY)).toBe(true);
  });

  it('stays if its name is not that of the machine', async () => {
    await arriveAt('node/victim-uid', OLD_SECONDS);
    await world.sweep();
    expect(await exists('node/victim-uid')).toBe(true);
    expect(await events()).not.toContain('SuccessfulDeleteBootstrapObject');
  });

  it('is also deleted if its deletion has failed when the node had joined', async () => {
    const key = await keyOf();
    await arriveAt(key, 0);
    const entry = 'windlass.dev/bootstrap-object';
    await remember({ [entry]: `${BUCKET}/${key}` });
    await setNode(undefined);
    await world.sweep();
    expect(await exists(key)).toBe(true);

    await setNode({ name: 'any' });
    await world.sweep();
    expect(await exists(key)).toBe(false);
    expect(await isRecorded(entry)).toBe(false);
  });
});
