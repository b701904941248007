import { describe, expect, it } from 'vitest';
import type { ClassPatch } from '../../../kinds/cluster-class/patch-schema.ts';
import { desiredTopology } from '../desired/desired-topology.ts';
import { blueprintOf, NOTHING } from '../desired/test-blueprint.ts';
import { AnswerNeeded, type HandlerAnswer, NOTHING_KNOWN, type Question } from '../hooks/knowledge.ts';
import { HookSession } from '../hooks/session.ts';
import type { Blueprint } from '../objects.ts';

const patch = (name: string, external: ClassPatch['external']): ClassPatch => ({ name, external });

type Asked = Extract<Question, { ask: 'handler' }>;

/** The planned objects, with a handler's response to each request. Requests are collected in `asked`. */
const plan = (
  patches: ClassPatch[],
  answer: (question: Asked) => HandlerAnswer,
  asked: Asked[] = [],
  change: (blueprint: Blueprint) => Blueprint = (blueprint) => blueprint,
) => {
  const blueprint = change(blueprintOf({ spec: { patches } }));
  const handlers = new Map<string, HandlerAnswer>();
  for (;;) {
    const known = { ...NOTHING_KNOWN, served: new Set<string>(), handlers };
    try {
      return desiredTopology(blueprint, NOTHING, new HookSession(blueprint.cluster, known, new Date(0))).objects;
    } catch (error) {
      if (!(error instanceof AnswerNeeded) || error.question.ask !== 'handler') throw error;
      asked.push(error.question);
      handlers.set(error.question.key, answer(error.question));
    }
  }
};

interface Item {
  uid: string;
  object: { kind: string };
  holderReference: { kind: string; name: string; namespace: string; fieldPath: string };
  variables: { name: string; value: { machineDeployment?: { class: string } } }[];
}

const itemsOf = ({ body }: Asked): Item[] => body.items as unknown as Item[];

const ops = (...operations: object[]) => Buffer.from(JSON.stringify(operations)).toString('base64');

/** Sets the region of the cluster's infrastructure with a patch of the given type. */
const region =
  (patchType: string, encoded: string) =>
  (question: Asked): HandlerAnswer => {
    const found = itemsOf(question).find(
      ({ holderReference }) => holderReference.fieldPath === 'spec.infrastructureRef',
    );
    return { response: { status: 'Success', items: [{ uid: found?.uid, patchType, patch: encoded }] } };
  };

const generate = patch('regions', { generatePatchesExtension: 'patch.policy', settings: { a: '1' } });
const replaced = ops({ op: 'replace', path: '/spec/template/spec/region', value: 'eu-north-1' });

describe('a patch by an extension', () => {
  it('sends all templates with their holders and the built-in variables', () => {
    const asked: Asked[] = [];
    plan([generate], region('JSONPatch', replaced), asked);
    const [question] = asked as [Asked];
    expect(question).toMatchObject({
      hook: 'GeneratePatches',
      handler: 'patch.policy',
      body: { settings: { a: '1' } },
    });
    expect(question.body.variables).toEqual([
      { name: 'builtin', value: { cluster: expect.objectContaining({ name: 'demo', namespace: 'team' }) } },
    ]);
    const items = itemsOf(question);
    expect(new Set(items.map(({ uid }) => uid)).size).toBe(items.length);
    expect(items[0]?.holderReference).toEqual({
      apiVersion: 'cluster.x-k8s.io/v1beta2',
      kind: 'Cluster',
      namespace: 'team',
      name: 'demo',
      fieldPath: 'spec.infrastructureRef',
    });
    const ofWorkers = items.find(({ holderReference }) => holderReference.kind === 'MachineDeployment');
    expect(ofWorkers?.variables[0]?.value.machineDeployment).toMatchObject({ class: 'worker', topologyName: 'md-0' });
  });

  it.each([
    ['JSONPatch', replaced],
    ['JSONMergePatch', Buffer.from('{"spec":{"template":{"spec":{"region":"eu-north-1"}}}}').toString('base64')],
  ])('changes a template by a %s', (type, encoded) => {
    expect(plan([generate], region(type, encoded)).infrastructureCluster.spec).toEqual({ region: 'eu-north-1' });
  });

  it('gets the variables that it defines, and none that others define', () => {
    const schema = { openAPIV3Schema: { type: 'string' as const } };
    const definedBy = (...froms: string[]) => froms.map((from) => ({ from, required: false, schema }));
    const discovering = patch('regions', { ...generate.external, discoverVariablesExtension: 'discover.policy' });
    const variables = [
      { name: 'type', definitions: definedBy('inline') },
      { name: 'zone', definitions: definedBy('regions') },
      { name: 'both', definitions: definedBy('inline', 'regions') },
      { name: 'others', definitions: definedBy('other') },
    ];
    const values = variables.map(({ name }) => ({ name, value: `a ${name}` }));
    const asked: Asked[] = [];
    plan([discovering], region('JSONPatch', replaced), asked, (blueprint) => ({
      ...blueprint,
      clusterClass: { ...blueprint.clusterClass, status: { variables } },
      topology: { ...blueprint.topology, variables: values },
    }));
    const [question] = asked as [Asked];
    const sent = question.body.variables as unknown as Item['variables'];
    expect(sent.map(({ name }) => name).sort()).toEqual(['both', 'builtin', 'zone']);
  });

  it('is visible to the patches after it', () => {
    const asked: Asked[] = [];
    const other = patch('other', { generatePatchesExtension: 'other.policy' });
    plan([generate, other], region('JSONPatch', replaced), asked);
    expect(asked.map(({ key }) => key)).toEqual(['GeneratePatches/regions', 'GeneratePatches/other']);
    const [first] = itemsOf(asked[1] as Asked);
    expect(first?.object).toMatchObject({ spec: { template: { spec: { region: 'eu-north-1' } } } });
  });

  it('changes nothing if the failure of its extension is ignored', () => {
    expect(plan([generate], () => ({ response: undefined })).infrastructureCluster.spec).toEqual({
      region: 'eu-west-1',
    });
  });

  it.each([
    [
      () => ({ error: 'failed to call extension handler "patch.policy": http call failed' }),
      'failed to apply patches: failed to generate patches for patch "regions": failed to call extension handler "patch.policy": http call failed',
    ],
    [
      () => ({ response: { items: [{ uid: 'none', patchType: 'JSONPatch', patch: ops() }] } }),
      'failed to apply patches: failed to apply patches for patch "regions": unable to find corresponding request item for patch',
    ],
    [region('JSONPatch', 'e30='), 'failed to apply patch: error decoding json patch (RFC6902)'],
    [
      region('JSONPatch', ops({ op: 'remove', path: '/spec/none' })),
      'failed to apply patch: error applying json patch (RFC6902): ',
    ],
    [region('Magic', ''), 'failed to decode response: items.0.patchType: '],
  ])('fails with upstream’s message: %#', (answer, why) => {
    expect(() => plan([generate], answer)).toThrow(why);
  });

  it('cannot change the fields that the topology itself sets', () => {
    const controlPlane = (question: Asked): HandlerAnswer => {
      const found = itemsOf(question).find((item) => item.holderReference.fieldPath === 'spec.controlPlaneRef');
      const value = { op: 'add', path: '/spec/template/spec/version', value: 'v9.9.9' };
      return { response: { items: [{ uid: found?.uid, patchType: 'JSONPatch', patch: ops(value) }] } };
    };
    expect(plan([generate], controlPlane).controlPlane.spec).toMatchObject({ version: 'v1.34.0' });
  });

  it('is refused if the extension only validates', () => {
    const only = patch('only', { validateTopologyExtension: 'check.policy' });
    expect(() => plan([only], () => ({ response: {} }))).toThrow('failed to create patch generator for patch "only"');
  });
});

describe('validation by an extension', () => {
  const both = patch('regions', {
    generatePatchesExtension: 'patch.policy',
    validateTopologyExtension: 'check.policy',
  });

  it('gets the patched templates, and accepts the topology', () => {
    const asked: Asked[] = [];
    plan([both], region('JSONPatch', replaced), asked);
    expect(asked.map(({ hook, handler }) => `${hook} ${handler}`)).toEqual([
      'GeneratePatches patch.policy',
      'ValidateTopology check.policy',
    ]);
    const [first] = itemsOf(asked[1] as Asked);
    expect(first?.object).toMatchObject({ spec: { template: { spec: { region: 'eu-north-1' } } } });
  });

  it('refuses the topology', () => {
    const answer = ({ hook }: Asked): HandlerAnswer =>
      hook === 'ValidateTopology'
        ? {
            error: 'failed to call extension handler "check.policy": got failure response with message: too many zones',
          }
        : { response: {} };
    expect(() => plan([both], answer)).toThrow(
      'failed to apply patches: validation of patch "regions" failed: failed to call extension handler "check.policy": got failure response with message: too many zones',
    );
  });
});
