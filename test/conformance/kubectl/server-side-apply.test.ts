import { describe, expect, it } from 'vitest';
import { hasKubectl } from './kubectl.ts';
import { useKubectl } from './use-kubectl.ts';

/** Tests `kubectl apply --server-side` and related commands from a user's point of view. */

const gizmo = (name: string, spec: object = {}): string =>
  JSON.stringify({
    apiVersion: 'toys.windlass.dev/v1beta2',
    kind: 'Gizmo',
    metadata: { name },
    spec: { version: 'v1.30', ...spec },
  });

interface Entry {
  manager: string;
  operation: string;
  subresource?: string;
  fieldsV1: Record<string, unknown>;
}

describe.skipIf(!hasKubectl() && process.env.CI !== 'true')('kubectl apply --server-side', () => {
  const suite = useKubectl();
  const { ok, fails } = suite;
  const entriesOf = async (name: string): Promise<Entry[]> =>
    JSON.parse(await ok(`get gizmo ${name} -o json --show-managed-fields`)).metadata.managedFields ?? [];
  const managersOf = async (name: string): Promise<string[]> =>
    (await entriesOf(name)).map(({ manager, operation, subresource }) =>
      [manager, operation, ...(subresource ? [subresource] : [])].join(' '),
    );
  const versionOf = (name: string) => ok(`get gizmo ${name} -o jsonpath={.metadata.resourceVersion}`);

  it('creates, changes and leaves unchanged', async () => {
    expect(await ok('apply --server-side -f -', gizmo('one', { size: 2 }))).toBe(
      'gizmo.toys.windlass.dev/one serverside-applied\n',
    );
    expect(await managersOf('one')).toEqual(['kubectl Apply']);
    const version = await versionOf('one');
    await ok('apply --server-side -f -', gizmo('one', { size: 2 }));
    expect(await versionOf('one')).toBe(version);
    await ok('apply --server-side -f -', gizmo('one'));
    expect(await ok('get gizmo one -o jsonpath={.spec.size}')).toBe('1');
  });

  it('shows field owners only on request', async () => {
    await ok('apply --server-side -f -', gizmo('shown', { parts: [{ name: 'a', count: 1 }] }));
    expect(await ok('get gizmo shown -o yaml')).not.toContain('managedFields');
    expect(await ok('get gizmo shown -o yaml --show-managed-fields')).toMatch(
      /f:parts:\n +k:\{"name":"a"\}:\n +\.: \{\}\n +f:count: \{\}\n +f:name: \{\}\n/,
    );
  });

  it('names the fields of other managers, and takes them over if it is forced', async () => {
    await ok('apply --server-side -f -', gizmo('two', { size: 2 }));
    await ok('scale gizmo two --replicas=5');
    const { stderr } = await fails('apply --server-side -f -', gizmo('two', { size: 2 }));
    expect(stderr).toContain(
      'Apply failed with 1 conflict: conflict with "kubectl" with subresource "scale" using toys.windlass.dev/v1beta2: .spec.size',
    );
    expect(await managersOf('two')).toEqual(['kubectl Apply', 'kubectl Update scale']);
    await ok('apply --server-side --force-conflicts -f -', gizmo('two', { size: 2 }));
    expect(await managersOf('two')).toEqual(['kubectl Apply']);
  });

  it('shares an object with another manager', async () => {
    await ok('apply --server-side -f -', gizmo('shared', { parts: [{ name: 'a' }] }));
    const part = JSON.stringify({ ...JSON.parse(gizmo('shared')), spec: { parts: [{ name: 'b', count: 2 }] } });
    await ok('apply --server-side --field-manager=robot -f -', part);
    await ok('apply --server-side -f -', gizmo('shared'));
    expect(await ok('get gizmo shared -o jsonpath={.spec.parts}')).toBe('[{"count":2,"name":"b"}]');
  });

  it('refuses fields that the schema does not define', async () => {
    const { stderr } = await fails('apply --server-side -f -', gizmo('bad', { bogus: 1 }));
    expect(stderr).toContain(
      'failed to create typed patch object (default/bad; toys.windlass.dev/v1beta2, Kind=Gizmo): .spec.bogus: field not declared in schema',
    );
  });

  it('does dry runs and diffs on the server', async () => {
    expect(await ok('apply --server-side --dry-run=server -f -', gizmo('dry'))).toContain('(server dry run)');
    await fails('get gizmo dry');
    await ok('apply --server-side -f -', gizmo('diffed', { size: 2 }));
    const { stdout, code } = await fails('diff --server-side -f -', gizmo('diffed', { size: 9 }));
    expect(code).toBe(1);
    expect(stdout).toMatch(/- {2}size: 2\n[\s\S]*\+ {2}size: 9\n/);
  });

  it('takes over from client-side apply, and allows it to return', async () => {
    await ok('apply -f -', gizmo('moved', { size: 2, mode: 'Fast' }));
    expect(await managersOf('moved')).toEqual(['kubectl-client-side-apply Update']);
    const differing = await fails('diff --server-side -f -', gizmo('moved', { size: 3 }));
    expect(differing).toMatchObject({ code: 1, stderr: '' });
    await ok('apply --server-side -f -', gizmo('moved', { size: 3 }));
    expect(await managersOf('moved')).toContain('kubectl Apply');
    expect(await managersOf('moved')).not.toContain('kubectl-client-side-apply Update');
    // Fields that the new manifest omits are removed, including those of the client-side apply.
    expect(await ok('get gizmo moved -o jsonpath={.spec.size}{.spec.mode}')).toBe('3Slow');
    await ok('apply -f -', gizmo('moved', { size: 4 }));
    expect(await ok('get gizmo moved -o jsonpath={.spec.size}')).toBe('4');
  });

  it('applies built-in kinds', async () => {
    const secret = (data: object) =>
      JSON.stringify({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'kept' }, stringData: data });
    const map = (data: object) =>
      JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'kept' }, data });
    await ok('apply --server-side -f -', map({ a: '1', b: '2' }));
    await ok('apply --server-side --field-manager=robot -f -', map({ c: '3' }));
    await ok('apply --server-side -f -', map({ a: '1' }));
    expect(JSON.parse(await ok('get configmap kept -o jsonpath={.data}'))).toEqual({ a: '1', c: '3' });
    expect(await ok('apply --server-side -f -', secret({ password: 'x' }))).toContain('serverside-applied');
    await ok('create namespace applied-to');
    expect(await ok('get namespace applied-to -o yaml --show-managed-fields')).toContain('manager: kubectl-create');
  });

  it('records edits of status and metadata under separate managers', async () => {
    await ok('apply --server-side -f -', gizmo('noted'));
    await ok('label gizmo noted tier=one');
    await ok('patch gizmo noted --subresource=status --type=merge -p {"status":{"phase":"Up"}}');
    expect((await managersOf('noted')).toSorted()).toEqual([
      'kubectl Apply',
      'kubectl-label Update',
      'kubectl-patch Update status',
    ]);
  });
});
