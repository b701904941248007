import { beforeEach, describe, expect, it } from 'vitest';
import { type AWSCluster, type Event, KINDS, kinds } from '../../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../../shared/kube-api/object.ts';
import { createRegistry } from '../../../../shared/kube-api/registry/create-registry.ts';
import { createMemoryStorage } from '../../../../shared/kube-api/storage/memory-storage.ts';
import { createObjectClient } from '../../../../shared/kube-api/storage/object-client.ts';
import type { Buckets } from '../../../../shared/providers/aws/api/buckets.ts';
import { ownershipTag, type Tags } from '../../../../shared/providers/aws/tags.ts';
import { systemRandom } from '../../../../shared/random.ts';
import { createMemoryRecords } from '../../../../shared/store/records/memory-records.ts';
import { withMemory } from '../../../../shared/store/records/remembering-client.ts';
import { testClock } from '../../../../shared/store/test-table.ts';
import { controllerScopeOf } from '../aws-scope.ts';
import { readScope } from '../infrastructure/scope.ts';
import { ensureBucket } from './bucket.ts';
import { deleteBucket } from './delete-bucket.ts';

interface Kept {
  tags: Tags;
  /** The bucket's owner, if it is another account. */
  owner?: string;
  policy?: string;
  objects?: number;
}

const NAME = 'cluster-api-provider-aws-red';
const refusal = (name: string) => Object.assign(new Error('no'), { name, $metadata: { httpStatusCode: 403 } });

/** S3 in memory; the next call of a given kind can be made to fail. */
const fakeS3 = () => {
  const kept = new Map<string, Kept>();
  const calls: string[] = [];
  const failing = new Map<string, Error>();
  /** What others do just before a call. */
  const meanwhile = new Map<string, (tags: Tags) => void>();
  const call = (operation: string): void => {
    calls.push(operation);
    const error = failing.get(operation);
    failing.delete(operation);
    if (error) throw error;
  };
  const set = (name: string, change: Partial<Kept>): void =>
    void kept.set(name, { tags: {}, ...kept.get(name), ...change });
  const buckets: Buckets = {
    tags: async (name) => {
      call('tags');
      const found = kept.get(name);
      if (found?.owner) throw refusal('AccessDenied');
      return found?.tags;
    },
    create: async (name, _region, tags) => {
      meanwhile.get('create')?.(tags);
      call('create');
      set(name, { tags });
    },
    tag: async (name, tags) => {
      call('tag');
      set(name, { tags });
    },
    setPolicy: async (name, policy) => {
      call('setPolicy');
      set(name, { policy });
    },
    delete: async (name) => {
      call('delete');
      if (kept.get(name)?.objects) return 'not-empty';
      kept.delete(name);
      return 'deleted';
    },
  };
  return { kept, calls, failing, meanwhile, buckets };
};

const world = async () => {
  const clock = testClock('2026-01-01T00:00:00Z');
  const registry = createRegistry({ resources: KINDS, storage: createMemoryStorage(), clock, random: systemRandom });
  const objects = withMemory(createObjectClient(registry), createMemoryRecords());
  const metadata = { name: 'red', namespace: 'default' };
  const { object: cluster } = await objects.ensure(kinds.cluster, {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Cluster',
    metadata,
    spec: { infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'AWSCluster', name: 'red' } },
  } as never);
  const s3Bucket = {
    name: NAME,
    controlPlaneIAMInstanceProfile: 'cp.cluster-api-provider-aws.sigs.k8s.io',
    nodesIAMInstanceProfiles: ['nodes.cluster-api-provider-aws.sigs.k8s.io'],
  };
  await objects.ensure(kinds.awsCluster, {
    apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
    kind: 'AWSCluster',
    metadata,
    spec: { region: 'us-east-1', s3Bucket },
  } as never);
  const s3 = fakeS3();
  const deps = { objects, clock, scopeOf: controllerScopeOf, buckets: () => s3.buckets, accountId: '123456789012' };
  const ref = { ...metadata, uid: (cluster as KubeObject).metadata.uid ?? '' };
  const scope = async () => (await readScope(deps, ref)) as never;
  return {
    ...s3,
    ensure: async () => ensureBucket(deps, await scope()),
    remove: async () => deleteBucket(deps, await scope()),
    change: (change: (current: AWSCluster) => AWSCluster) => objects.mutate(kinds.awsCluster, metadata, change),
    warnings: async () => {
      const events = await objects.list<Event>(kinds.event);
      return events.flatMap(({ type, message }) => (type === 'Warning' ? message : []));
    },
    condition: async () => {
      const { status } = (await objects.get(kinds.awsCluster, metadata)) as AWSCluster;
      return status?.conditions?.find(({ type }) => type === 'S3BucketCreated');
    },
  };
};

describe("a cluster's bucket", () => {
  let red: Awaited<ReturnType<typeof world>>;
  beforeEach(async () => {
    red = await world();
  });

  it('has the tags of its owner from its creation, and gets its policy later if the first attempt fails', async () => {
    red.failing.set('setPolicy', refusal('SlowDown'));
    await red.change((current) => ({ ...current, spec: { ...current.spec, additionalTags: { 'cost-center': '7' } } }));
    await expect(red.ensure()).rejects.toThrow();
    const owned = { 'cost-center': '7', 'sigs.k8s.io/cluster-api-provider-aws/cluster/red': 'owned' };
    expect(red.kept.get(NAME)?.tags).toMatchObject(owned);

    expect(await red.ensure()).toBe(true);
    expect(red.kept.get(NAME)?.policy).toContain('ForceSSLOnlyAccess');
    red.calls.length = 0;
    await red.ensure();
    expect(red.calls).toEqual(['tags']);
  });

  it('is created with its policy and tags, and only checked in later passes', async () => {
    expect(await red.ensure()).toBe(true);

    const { tags, policy } = red.kept.get(NAME) ?? { tags: {} };
    expect(tags).toMatchObject({ 'sigs.k8s.io/cluster-api-provider-aws/cluster/red': 'owned' });
    const { Statement } = JSON.parse(policy ?? '') as {
      Statement: { Resource: string[]; Principal: { AWS: string[] } }[];
    };
    expect(Statement.map(({ Principal, Resource }) => [Principal.AWS[0], Resource.at(-1)])).toEqual([
      ['*', `arn:aws:s3:::${NAME}/*`],
      [
        'arn:aws:iam::123456789012:role/cp.cluster-api-provider-aws.sigs.k8s.io',
        `arn:aws:s3:::${NAME}/control-plane/*`,
      ],
      ['arn:aws:iam::123456789012:role/nodes.cluster-api-provider-aws.sigs.k8s.io', `arn:aws:s3:::${NAME}/node/*`],
    ]);
    expect(await red.condition()).toMatchObject({ status: 'True' });
    red.calls.length = 0;
    await red.ensure();
    expect(red.calls).toEqual(['tags']);
  });

  it.each(['create', 'setPolicy', 'tag'])('is completed after a pass that failed at %s', async (operation) => {
    red.failing.set(operation, new Error('the power is gone'));
    await expect(red.ensure()).rejects.toThrow('the power is gone');

    expect(await red.ensure()).toBe(true);

    expect(red.kept.get(NAME)?.policy).toBeDefined();
    await red.remove();
    expect(red.kept.size).toBe(0);
  });

  it('is used, with the tags that it has, if a repeated request finds that it was just created', async () => {
    red.meanwhile.set('create', (first) => void red.kept.set(NAME, { tags: first }));
    red.failing.set('create', refusal('BucketAlreadyOwnedByYou'));

    expect(await red.ensure()).toBe(true);

    expect(await red.warnings()).toEqual([]);
    expect(await red.condition()).toMatchObject({ status: 'True' });
    expect(red.kept.get(NAME)?.policy).toBeDefined();
    expect(red.kept.get(NAME)?.tags).toMatchObject({ 'sigs.k8s.io/cluster-api-provider-aws/cluster/red': 'owned' });
  });

  it('is refused if a cluster of another namespace created it just before', async () => {
    const tags = { 'windlass.dev/cluster': 'other/red', 'sigs.k8s.io/cluster-api-provider-aws/cluster/red': 'owned' };
    red.meanwhile.set('create', () => void red.kept.set(NAME, { tags }));
    red.failing.set('create', refusal('BucketAlreadyOwnedByYou'));

    expect(await red.ensure()).toBe(false);

    expect(red.kept.get(NAME)).toEqual({ tags });
    expect((await red.condition())?.message).toContain('another namespace');
  });

  it.each(['TooManyBuckets', 'PendingVerification'])(
    'is reported as missing if S3 refuses it with %s',
    async (code) => {
      red.failing.set('create', Object.assign(new Error('no'), { name: code, $metadata: { httpStatusCode: 400 } }));

      expect(await red.ensure()).toBe(false);

      const message = expect.stringContaining(`${code}: no`);
      expect(await red.condition()).toMatchObject({ status: 'False', reason: 'S3BucketCreationFailed', message });
    },
  );

  it.each([
    ['another one', { name: `${NAME}-2`, presignedURLDuration: '1h' }],
    ['none', undefined],
  ])('is deleted with the cluster even if the spec names %s by then', async (_, s3Bucket) => {
    await red.ensure();
    await red.change((current) => ({ ...current, spec: { ...current.spec, s3Bucket } }) as AWSCluster);
    expect(await red.ensure()).toBe(true);
    expect([...red.kept.keys()]).toEqual([NAME, ...(s3Bucket ? [s3Bucket.name] : [])]);
    await red.remove();
    expect(red.kept.size).toBe(0);
  });

  it('gets another policy if other roles are to read, and keeps the tags of others', async () => {
    await red.ensure();
    Object.assign(red.kept.get(NAME)?.tags ?? {}, { team: 'blue', 'aws:of-s3': 'x' });
    await red.change((current) => ({
      ...current,
      spec: { ...current.spec, s3Bucket: { name: NAME, presignedURLDuration: '1h' } },
    }));

    await red.ensure();

    const { policy = '', tags } = red.kept.get(NAME) ?? {};
    expect(JSON.parse(policy).Statement).toHaveLength(1);
    expect(tags).toMatchObject({ team: 'blue', [ownershipTag('red')]: 'owned' });
    expect(tags).not.toHaveProperty(['aws:of-s3']);
  });

  it.each<[string, Tags]>([
    ['has no tags', {}],
    ['is of another cluster', { 'sigs.k8s.io/cluster-api-provider-aws/cluster/blue': 'owned' }],
  ])('is left unchanged if it existed before and %s', async (_why, tags) => {
    red.kept.set(NAME, { tags });

    expect(await red.ensure()).toBe(true);
    await red.remove();

    expect(red.kept.get(NAME)).toEqual({ tags });
  });

  it('is not used if it belongs to another account, which could change what machines boot from', async () => {
    red.kept.set(NAME, { tags: {}, owner: '999999999999' });

    expect(await red.ensure()).toBe(false);

    expect(await red.condition()).toMatchObject({ status: 'False', reason: 'S3BucketCreationFailed' });
  });

  it.each(['AccessDenied', 'PermanentRedirect'])(
    'does not block the deletion if it cannot be read (%s) and was not created for the cluster',
    async (code) => {
      red.failing.set('tags', refusal(code));
      expect(await red.ensure()).toBe(false);
      red.failing.set('tags', refusal(code));

      await red.remove();

      expect(red.calls).toEqual(['tags', 'tags']);
      expect(await red.warnings()).toContainEqual(
        `The bucket ${NAME} is kept: it cannot be read, and nothing shows that it was created for this cluster: ${code}: no`,
      );
    },
  );

  it('blocks the deletion if it was created for the cluster and cannot be read', async () => {
    await red.ensure();
    red.failing.set('tags', refusal('AccessDenied'));

    await expect(red.remove()).rejects.toMatchObject({ name: 'AccessDenied' });
  });

  it('is kept if it contains objects', async () => {
    await red.ensure();
    red.kept.set(NAME, { tags: red.kept.get(NAME)?.tags ?? {}, objects: 1 });

    await red.remove();

    expect(red.kept.has(NAME)).toBe(true);
  });

  it('is reported on the AWSCluster if a user has to change something', async () => {
    red.failing.set('create', refusal('BucketAlreadyExists'));

    expect(await red.ensure()).toBe(false);

    expect(await red.condition()).toMatchObject({
      status: 'False',
      reason: 'S3BucketCreationFailed',
      message: expect.stringMatching(/^spec\.s3Bucket\.name cluster-api-provider-aws-red: BucketAlreadyExists: no/),
    });
  });
});
