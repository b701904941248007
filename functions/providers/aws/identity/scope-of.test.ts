import { beforeEach, describe, expect, it } from 'vitest';
import { type AWSCluster, KINDS, kinds } from '../../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../../shared/kube-api/object.ts';
import { createRegistry } from '../../../../shared/kube-api/registry/create-registry.ts';
import type { ObjectClient } from '../../../../shared/kube-api/storage/client.ts';
import { createMemoryStorage } from '../../../../shared/kube-api/storage/memory-storage.ts';
import { createObjectClient } from '../../../../shared/kube-api/storage/object-client.ts';
import type { AwsCredentials } from '../../../../shared/providers/aws/scope.ts';
import { systemRandom } from '../../../../shared/random.ts';
import { testClock } from '../../../../shared/store/test-table.ts';
import type { ScopeOf } from '../aws-scope.ts';
import type { RolesAs } from './credentials.ts';
import { IdentityError } from './identity-error.ts';
import { makeScopeOf } from './scope-of.ts';

const HUB = '000000000000';
const SPOKE = '111111111111';
const roleOf = (account: string, name: string) => `arn:aws:iam::${account}:role/${name}`;

let objects: ObjectClient;
let clock: ReturnType<typeof testClock>;
let scopeOf: ScopeOf;
/** The caller, the assumed role and the external id of each call, in order. */
let assumed: string[];
let refusal: Error | undefined;

const put = async (kind: string, name: string, spec: object, metadata: object = {}): Promise<void> => {
  const resource = KINDS.find((one) => one.kind === kind);
  if (!resource) throw new Error(kind);
  const { group, version } = resource;
  const apiVersion = group ? `${group}/${version}` : version;
  await objects.ensure(resource, { apiVersion, kind, metadata: { name, ...metadata }, ...spec } as KubeObject);
};

const rolesAs: RolesAs = async (credentials) => ({
  assume: async ({ RoleArn = '', ExternalId }) => {
    if (refusal) throw refusal;
    const by = (await credentials?.())?.accessKeyId ?? 'function';
    assumed.push([by, RoleArn.split('/')[1], ExternalId ?? ''].join(' ').trim());
    const expiration = new Date(clock.now().getTime() + 3_600_000);
    return { accessKeyId: RoleArn.split('/')[1] ?? '', secretAccessKey: 's', sessionToken: 't', expiration };
  },
  account: async () => ((await credentials?.())?.accessKeyId === 'AKIAUSER' ? SPOKE : HUB),
});

const clusterWith = (kind: string, name: string, namespace = 'red') =>
  ({
    metadata: { name: 'red', namespace },
    spec: { region: 'eu-central-1', identityRef: { kind, name } },
  }) as AWSCluster;

const ROLE = 'AWSClusterRoleIdentity';
const CONTROLLER = { kind: 'AWSClusterControllerIdentity', name: 'default' };
const all = { allowedNamespaces: {} };
const role = (name: string, spec: object, metadata: object = {}) =>
  put(ROLE, name, { spec: { ...all, sourceIdentityRef: CONTROLLER, roleARN: roleOf(HUB, name), ...spec } }, metadata);

const credentialsOf = async (cluster: AWSCluster): Promise<AwsCredentials | undefined> =>
  (await scopeOf(cluster)).identity.credentials?.();

const refusalOf = async (cluster: AWSCluster): Promise<{ reason: string; message: string }> => {
  const error = await scopeOf(cluster).then(
    () => new Error('it was not refused'),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof IdentityError)) throw error;
  const reason = error.claims.find(({ status }) => status !== 'True')?.reason ?? '';
  return { reason, message: error.message };
};

beforeEach(() => {
  clock = testClock('2026-01-01T00:00:00Z');
  const registry = createRegistry({ resources: KINDS, storage: createMemoryStorage(), clock, random: systemRandom });
  objects = createObjectClient(registry);
  assumed = [];
  refusal = undefined;
  scopeOf = makeScopeOf({ objects, clock, roles: rolesAs, accountId: HUB, homeRegion: 'eu-west-1' });
});

describe('the controller identity', () => {
  it("is created for the first cluster, and uses the function's own role", async () => {
    const { identity, region } = await scopeOf(clusterWith(CONTROLLER.kind, CONTROLLER.name));
    expect([identity.credentials, region]).toEqual([undefined, 'eu-central-1']);
    const made = await objects.get(kinds.awsClusterControllerIdentity, { namespace: '', name: 'default' });
    expect(made?.spec).toEqual({ allowedNamespaces: {} });
  });

  it('uses the region of the stack for a cluster without a region', async () => {
    const { spec, ...cluster } = clusterWith(CONTROLLER.kind, CONTROLLER.name);
    const { region: _, ...rest } = spec;
    const regions = [await scopeOf({ ...cluster, spec: rest }), await scopeOf(undefined)].map(({ region }) => region);
    expect(regions).toEqual(['eu-west-1', 'eu-west-1']);
  });

  it('can be used by the namespaces that it allows', async () => {
    await put(CONTROLLER.kind, 'default', { spec: { allowedNamespaces: { list: ['blue'] } } });
    await expect(scopeOf(clusterWith(CONTROLLER.kind, 'default', 'blue'))).resolves.toBeDefined();
    expect((await refusalOf(clusterWith(CONTROLLER.kind, 'default'))).reason).toBe('PrincipalUsageUnauthorized');
  });
});

describe('the identities of a large fleet', () => {
  it('are each assumed once, although a sweep uses all of them in the same order', async () => {
    const names = Array.from({ length: 150 }, (_, index) => `spoke-${index}`);
    for (const name of names) await role(name, { roleARN: roleOf(SPOKE, name), externalID: 'handshake' });
    for (const _ of ['first', 'second']) {
      for (const name of names) await scopeOf(clusterWith(ROLE, name));
      clock.advance(300);
    }
    expect(assumed).toHaveLength(150);
  });
});

describe('a role identity', () => {
  it('is assumed once for all its clusters, and again before its credentials expire', async () => {
    await role('spoke', { roleARN: roleOf(SPOKE, 'spoke'), externalID: 'handshake' });
    const scopes = await Promise.all(['red', 'blue'].map((name) => scopeOf(clusterWith(ROLE, 'spoke', name))));
    expect(new Set(scopes.map(({ identity }) => identity.key)).size).toBe(1);
    expect(await scopes[0]?.identity.account?.()).toBe(SPOKE);
    expect(assumed).toEqual(['function spoke handshake']);

    clock.advance(54 * 60);
    await credentialsOf(clusterWith(ROLE, 'spoke'));
    expect(assumed).toHaveLength(1);
    clock.advance(2 * 60);
    await credentialsOf(clusterWith(ROLE, 'spoke'));
    expect(assumed).toHaveLength(2);
  });

  it('is assumed by way of its sources, in order', async () => {
    await role('outer', {});
    await role('middle', { sourceIdentityRef: { kind: ROLE, name: 'outer' } });
    await role('inner', { sourceIdentityRef: { kind: ROLE, name: 'middle' } });
    expect((await credentialsOf(clusterWith(ROLE, 'inner')))?.accessKeyId).toBe('inner');
    expect(assumed).toEqual(['function outer', 'outer middle', 'middle inner']);
  });

  it('is refused if its sources form a cycle, are missing, or do not allow the namespace', async () => {
    await role('a', { sourceIdentityRef: { kind: ROLE, name: 'b' } });
    await role('b', { sourceIdentityRef: { kind: ROLE, name: 'a' } });
    expect((await refusalOf(clusterWith(ROLE, 'a'))).message).toContain('a cycle: a -> b -> a');
    await role('c', { sourceIdentityRef: { kind: ROLE, name: 'nobody' } });
    expect((await refusalOf(clusterWith(ROLE, 'c'))).message).toContain('there is no AWSClusterRoleIdentity nobody');
    await role('closed', { allowedNamespaces: null });
    await role('d', { sourceIdentityRef: { kind: ROLE, name: 'closed' } });
    expect((await refusalOf(clusterWith(ROLE, 'd'))).reason).toBe('SourcePrincipalUsageUnauthorized');
    expect(assumed).toEqual([]);
  });

  it('can be used by namespaces with the labels that it selects', async () => {
    await put('Namespace', 'red', {}, { labels: { team: 'red' } });
    await role('team', { allowedNamespaces: { selector: { matchLabels: { team: 'red' } } } });
    expect((await credentialsOf(clusterWith(ROLE, 'team')))?.accessKeyId).toBe('team');
    expect((await refusalOf(clusterWith(ROLE, 'team', 'blue'))).reason).toBe('PrincipalUsageUnauthorized');
  });

  it('of another account is not assumed without an external id', async () => {
    await role('spoke', { roleARN: roleOf(SPOKE, 'spoke') });
    expect(await refusalOf(clusterWith(ROLE, 'spoke'))).toEqual({
      reason: 'PrincipalCredentialRetrievalFailed',
      message: expect.stringContaining('spec.externalID is missing'),
    });
    const waived = { annotations: { 'windlass.dev/without-external-id': 'true' } };
    await role('trusted', { roleARN: roleOf(SPOKE, 'trusted') }, waived);
    await credentialsOf(clusterWith(ROLE, 'trusted'));
    expect(assumed).toEqual(['function trusted']);
  });

  it('is reported with field, role and code if AWS refuses it, and temporary errors are passed on unchanged', async () => {
    await role('spoke', { roleARN: roleOf(SPOKE, 'spoke'), externalID: 'x' });
    refusal = Object.assign(new Error('not authorized'), { name: 'AccessDenied', $metadata: { httpStatusCode: 403 } });
    const { reason, message } = await refusalOf(clusterWith(ROLE, 'spoke'));
    expect(reason).toBe('CredentialProviderBuildFailed');
    expect(message).toBe(
      `AWSClusterRoleIdentity spoke: spec.roleARN ${roleOf(SPOKE, 'spoke')} cannot be assumed: AccessDenied: not authorized`,
    );
    refusal = Object.assign(new Error('slow'), { name: 'Throttling', $metadata: {} });
    await expect(scopeOf(clusterWith(ROLE, 'spoke'))).rejects.toBe(refusal);
    refusal = undefined;
    expect((await credentialsOf(clusterWith(ROLE, 'spoke')))?.accessKeyId).toBe('spoke');
  });
});

describe('a static identity', () => {
  const STATIC = 'AWSClusterStaticIdentity';
  const key = (data: Record<string, string>) =>
    put('Secret', 'key', { stringData: data, type: 'Opaque' }, { namespace: 'capa-system' });

  it('uses the access key in the Secret, also as the source of a role', async () => {
    await key({ AccessKeyID: 'AKIAUSER', SecretAccessKey: 'hush' });
    await put(STATIC, 'user', { spec: { ...all, secretRef: 'key' } });
    expect(await credentialsOf(clusterWith(STATIC, 'user'))).toEqual({
      accessKeyId: 'AKIAUSER',
      secretAccessKey: 'hush',
    });
    await role('spoke', { roleARN: roleOf(SPOKE, 'spoke'), sourceIdentityRef: { kind: STATIC, name: 'user' } });
    await credentialsOf(clusterWith(ROLE, 'spoke'));
    expect(assumed).toEqual(['AKIAUSER spoke']);
  });

  it('uses a new key as soon as the Secret contains it', async () => {
    await key({ AccessKeyID: 'AKIAOLD', SecretAccessKey: 'hush', SessionToken: 'token' });
    await put(STATIC, 'user', { spec: { ...all, secretRef: 'key' } });
    const before = await scopeOf(clusterWith(STATIC, 'user'));
    expect((await before.identity.credentials?.())?.sessionToken).toBe('token');
    const place = { namespace: 'capa-system', name: 'key' };
    await objects.mutate(kinds.secret, place, (secret) => ({
      ...secret,
      data: { ...secret.data, AccessKeyID: Buffer.from('AKIANEW').toString('base64') },
    }));
    clock.advance(11);
    const after = await scopeOf(clusterWith(STATIC, 'user'));
    expect((await after.identity.credentials?.())?.accessKeyId).toBe('AKIANEW');
    expect(after.identity.key).not.toBe(before.identity.key);
    expect(after.identity.key).not.toContain('AKIA');
  });

  it('is reported with the keys that its Secret lacks, and without the contents of the Secret', async () => {
    await put(STATIC, 'user', { spec: { ...all, secretRef: 'key' } });
    expect((await refusalOf(clusterWith(STATIC, 'user'))).message).toContain(
      'no Secret key in the namespace capa-system',
    );
    await key({ AccessKeyID: 'AKIAUSER', SecretAccesKey: 'hush' });
    const { message } = await refusalOf(clusterWith(STATIC, 'user'));
    expect(message).toContain('capa-system/key must have the keys AccessKeyID and SecretAccessKey');
    expect(message).not.toMatch(/AKIAUSER|hush/);
  });

  it.each<Record<string, string>>([
    { AccessKeyID: 'hush/hush+hush', SecretAccessKey: 'x' },
    { AccessKeyID: 'hush hush', SecretAccessKey: 'x' },
    { AccessKeyID: 'AKIAUSER', SecretAccessKey: 'hush\r\nx: y' },
    { AccessKeyID: 'AKIAUSER', SecretAccessKey: 'x', SessionToken: 'hush\u00ff' },
  ])('is not sent to AWS with invalid characters, because AWS would quote them: %j', async (data) => {
    await key(data);
    await put(STATIC, 'user', { spec: { ...all, secretRef: 'key' } });
    const { message } = await refusalOf(clusterWith(STATIC, 'user'));
    expect(message).toContain('of the Secret capa-system/key has characters that AWS does not use there');
    expect(message).not.toContain('hush');
  });
});
