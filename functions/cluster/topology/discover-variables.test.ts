import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { ClusterClass } from '../../../shared/kinds/cluster-class/schema.ts';
import { kinds } from '../../../shared/kinds/index.ts';
import { UnansweredError } from '../../../shared/plan/hooks/error.ts';
import { useTestDatabase } from '../test-database.ts';
import { type HookedCluster, makeHookedCluster } from './test-hooks.ts';
import { withVariable } from './test-topology.ts';

const database = useTestDatabase();

let managed: HookedCluster;

const external = { generatePatchesExtension: 'generate.policy', discoverVariablesExtension: 'discover.policy' };
const zone = (schema: object = { type: 'string', default: 'north' }) => ({
  name: 'zone',
  schema: { openAPIV3Schema: schema },
});

const discover = (change: (spec: ClusterClass['spec']) => ClusterClass['spec'] = (spec) => spec) =>
  managed.changeClass((spec) => change({ ...spec, patches: [...(spec.patches ?? []), { name: 'region', external }] }));

const classStatus = async () => {
  const found = await managed.objects.get(kinds.clusterClass, { namespace: 'default', name: 'aws-small' });
  const condition = found?.status?.conditions?.find(({ type }) => type === 'VariablesReady');
  return {
    isCurrent: found?.status?.observedGeneration === found?.metadata.generation,
    zone: found?.status?.variables?.find(({ name }) => name === 'zone'),
    ready: condition && { status: condition.status, reason: condition.reason, message: condition.message },
  };
};

beforeEach(async () => {
  managed = await makeHookedCluster(database());
  await managed.install();
  managed.answers.set('DiscoverVariables', { variables: [zone()] });
});

describe('variables defined by an extension', () => {
  it('become definitions of the class, defaults of the cluster, and input of the patch', async () => {
    await discover();
    expect(await classStatus()).toMatchObject({ isCurrent: false, zone: undefined });
    await managed.begin();
    expect(await managed.condition()).toMatchObject({ status: 'True' });
    expect(await classStatus()).toMatchObject({
      isCurrent: true,
      ready: { status: 'True', reason: 'VariablesReady', message: '' },
      zone: {
        definitionsConflict: false,
        definitions: [{ from: 'region', required: false, schema: zone().schema }],
      },
    });
    expect((await managed.cluster()).spec.topology?.variables).toContainEqual({ name: 'zone', value: 'north' });
    const [asked] = managed.calls.filter(({ hook }) => hook === 'GeneratePatches');
    expect(asked?.request).toMatchObject({ variables: [{ name: 'zone', value: 'north' }, { name: 'builtin' }] });
  });

  it('are discovered once', async () => {
    await discover();
    await managed.begin();
    await managed.begin();
    expect(managed.hooks().filter((hook) => hook === 'DiscoverVariables')).toHaveLength(1);
  });

  it('share the time limit of a pass with all other calls', async () => {
    managed.answers.set('DiscoverVariables', () => {
      managed.clock.advance(70);
      return { variables: [zone()] };
    });
    await discover();
    await managed.begin();
    const [, asked] = managed.calls.filter(({ hook }) => hook !== 'BeforeClusterCreate');
    expect(asked).toMatchObject({ hook: 'GeneratePatches', timeoutSeconds: 5 });
  });

  it('cause no reads or calls if no patch defines any', async () => {
    await managed.begin();
    await managed.provision();
    const list = vi.spyOn(managed.objects, 'list');
    await managed.begin();
    expect(list.mock.calls.filter(([resource]) => resource.kind === 'ExtensionConfig')).toEqual([]);
    expect(managed.hooks()).not.toContain('DiscoverVariables');
  });

  it('are used to validate the values of clusters', async () => {
    await discover();
    await managed.begin();
    await managed.change(withVariable('zone', 5));
    await managed.begin();
    expect((await managed.condition())?.message).toContain('must be of type string');
  });

  it('must not contradict those of the class', async () => {
    await discover((spec) => ({
      ...spec,
      variables: [...(spec.variables ?? []), { ...zone({ type: 'integer' }), required: false }],
    }));
    await managed.begin();
    expect(await classStatus()).toMatchObject({
      isCurrent: false,
      zone: { definitionsConflict: true, definitions: [{ from: 'inline' }, { from: 'region' }] },
      ready: {
        status: 'False',
        reason: 'VariableDiscoveryFailed',
        message: 'VariableDiscovery failed: the following variables have conflicting schemas: zone',
      },
    });
    expect(await managed.condition()).toMatchObject({ status: 'False', reason: 'ClusterClassNotReconciled' });
  });

  it.each([
    [
      new UnansweredError('no answer'),
      'VariableDiscovery failed: failed to call DiscoverVariables for patch region: failed to call extension handler "discover.policy": no answer',
    ],
    [
      { status: 'Failure', message: 'not today' },
      'VariableDiscovery failed: failed to call DiscoverVariables for patch region: failed to call extension handler "discover.policy": got failure response with message: not today',
    ],
    [
      { variables: [{ name: 'builtin', schema: { openAPIV3Schema: { type: 'string' } } }] },
      'VariableDiscovery failed: region.variables[builtin].name: Invalid value: "builtin": "builtin" is a reserved variable name',
    ],
    [{ variables: [{ name: 3 }] }, expect.stringContaining('VariableDiscovery failed: region.variables.0.')],
    [{ variables: 'all' }, expect.stringContaining('VariableDiscovery failed: region.variables.: ')],
  ])('block a cluster if they cannot be discovered: %s', async (answer, message) => {
    managed.answers.set('DiscoverVariables', answer);
    await discover();
    await managed.begin();
    expect((await classStatus()).ready).toEqual({ status: 'False', reason: 'VariableDiscoveryFailed', message });
    expect(await managed.condition()).toMatchObject({ status: 'False', reason: 'ClusterClassNotReconciled' });
    managed.answers.set('DiscoverVariables', { variables: [zone()] });
    await managed.begin();
    expect(await managed.condition()).toMatchObject({ status: 'True' });
  });
});
