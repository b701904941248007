import { describe, expect, it } from 'vitest';
import type { ClassPatch, JsonPatch, PatchSelector } from '../../../kinds/cluster-class/patch-schema.ts';
import { blueprintOf } from '../desired/test-blueprint.ts';
import { withoutExtensions } from '../hooks/session.ts';
import { applyPatches } from './apply-patches.ts';
import {
  CLUSTER_CONTROL_PLANE,
  CLUSTER_INFRASTRUCTURE,
  MACHINE_INFRASTRUCTURE,
  type PatchItem,
  WORKER_BOOTSTRAP,
  WORKER_INFRASTRUCTURE,
} from './item.ts';

const session = withoutExtensions(blueprintOf().cluster);

const API = 'infrastructure.cluster.x-k8s.io/v1beta2';

const template = (kind: string, spec: object = {}) => ({
  apiVersion: API,
  kind,
  metadata: { name: 't' },
  spec: { template: { spec } },
});

const machine = (holder: PatchItem['holder'], variables: object = {}): PatchItem => ({
  object: template('MachineTemplate', { zones: ['a'] }),
  holder,
  variables: { ...variables },
});

const workers = (name: string, kind: 'MachineDeployment' | 'MachinePool' = 'MachineDeployment'): PatchItem =>
  machine(
    { kind, fieldPath: WORKER_INFRASTRUCTURE },
    { builtin: { [kind === 'MachinePool' ? 'machinePool' : 'machineDeployment']: { class: name } } },
  );

const patchOf = (
  jsonPatches: JsonPatch[],
  matchResources: PatchSelector['matchResources'] = { controlPlane: true },
  rest: Partial<ClassPatch> = {},
): ClassPatch => ({
  name: 'p',
  definitions: [{ selector: { apiVersion: API, kind: 'MachineTemplate', matchResources }, jsonPatches }],
  ...rest,
});

const specs = (patches: ClassPatch[], items: PatchItem[], variables = {}) =>
  applyPatches(patches, items, { builtin: {}, ...variables }, session).map(
    ({ object }) => (object.spec as { template: { spec: unknown } }).template.spec,
  );

const set = (value: unknown, path = '/spec/template/spec/type'): JsonPatch => ({ op: 'add', path, value });
const from = (valueFrom: JsonPatch['valueFrom']): JsonPatch => ({
  op: 'add',
  path: '/spec/template/spec/v',
  valueFrom,
});

const ofControlPlane = machine({ kind: 'KubeadmControlPlane', fieldPath: MACHINE_INFRASTRUCTURE });

describe('selectors of patches', () => {
  const all = [
    machine(CLUSTER_INFRASTRUCTURE),
    machine(CLUSTER_CONTROL_PLANE),
    ofControlPlane,
    workers('small-a'),
    workers('big'),
    workers('small-p', 'MachinePool'),
    machine(
      { kind: 'MachineDeployment', fieldPath: WORKER_BOOTSTRAP },
      { builtin: { machineDeployment: { class: 'big' } } },
    ),
  ];

  it.each<[PatchSelector['matchResources'], number[]]>([
    [{ infrastructureCluster: true }, [0]],
    [{ controlPlane: true }, [1, 2]],
    [{ machineDeploymentClass: { names: ['big'] } }, [4, 6]],
    [{ machineDeploymentClass: { names: ['*'] } }, [3, 4, 6]],
    [{ machineDeploymentClass: { names: ['small-*'] } }, [3]],
    [{ machineDeploymentClass: { names: ['*ig'] }, controlPlane: true }, [1, 2, 4, 6]],
    [{ machinePoolClass: { names: ['*'] } }, [5]],
    [{ controlPlane: false, machinePoolClass: { names: [] } }, []],
  ])('%j', (matchResources, chosen) => {
    const changed = specs([patchOf([set('x')], matchResources)], all).flatMap((spec, index) =>
      (spec as { type?: string }).type === 'x' ? [index] : [],
    );
    expect(changed).toEqual(chosen);
  });

  it('compare the whole apiVersion and the kind', () => {
    const other = { ...ofControlPlane, object: { ...ofControlPlane.object, apiVersion: 'other/v1' } };
    expect(specs([patchOf([set('x')])], [other])).toEqual([{ zones: ['a'] }]);
  });
});

describe('values of patches', () => {
  const variables = { size: 'xl', list: [{ k: ['q', 'r'] }], n: 3, builtin: { cluster: { name: 'demo' } } };
  const own = { ...ofControlPlane, variables: { size: 's', builtin: { controlPlane: { version: 'v1.34.0' } } } };

  it.each<[JsonPatch['valueFrom'], unknown]>([
    [{ variable: 'size' }, 's'],
    [{ variable: 'list[0].k[1]' }, 'r'],
    [{ variable: 'list' }, [{ k: ['q', 'r'] }]],
    [{ variable: 'builtin.cluster.name' }, 'demo'],
    [{ variable: 'builtin.controlPlane.version' }, 'v1.34.0'],
    [{ template: '{{ .builtin.cluster.name }}-{{ .size | upper }}' }, 'demo-S'],
    [{ template: 'a: {{ .n }}\nb:\n{{ range .list }}- {{ index .k 0 }}\n{{ end }}' }, { a: 3, b: ['q'] }],
    [{ template: '{{ toJson .list }}' }, [{ k: ['q', 'r'] }]],
  ])('%j', (valueFrom, value) => {
    expect(specs([patchOf([from(valueFrom)])], [own], variables)).toEqual([{ zones: ['a'], v: value }]);
  });

  it.each<[JsonPatch['valueFrom'], string]>([
    [{ variable: 'nope' }, 'failed to calculate value: variable "nope" does not exist'],
    [
      { variable: 'list[0].z' },
      'failed to calculate value: variable "list[0].z" does not exist: failed to lookup segment "z"',
    ],
    [{ variable: 'list[7]' }, 'failed to calculate value: variable "list[7]" is invalid: array does not have index 7'],
    [{ variable: 'size[0]' }, 'failed to calculate value: variable "size[0]" is invalid: failed to get array "size"'],
    [
      { template: '{{ now }}' },
      'failed to calculate value for template: failed to render template: "{{ now }}": the template uses now, which is not supported here',
    ],
    [
      {},
      'failed to calculate value: .valueFrom is set, but neither .valueFrom.variable nor .valueFrom.template are set',
    ],
  ])('%j is refused', (valueFrom, why) => {
    expect(() => specs([patchOf([from(valueFrom)])], [own], variables)).toThrow(
      `failed to generate patches for patch "p": failed to generate JSON patches for "MachineTemplate": ${why}`,
    );
  });

  it('are not calculated if the patch is not enabled', () => {
    const patch = (enabledIf: string) => patchOf([from({ variable: 'nope' })], undefined, { enabledIf });
    expect(specs([patch('{{ eq .size "xl" }}')], [own], variables)).toEqual([{ zones: ['a'] }]);
    expect(() => specs([patch('{{ eq .size "s" }}')], [own], variables)).toThrow('variable "nope" does not exist');
    expect(() => specs([patch('{{ .a.b }')], [own], variables)).toThrow(
      'failed to calculate if patch is enabled for "MachineTemplate": failed to calculate value for enabledIf',
    );
  });
});

describe('operations of patches', () => {
  const zones = '/spec/template/spec/zones';

  it('add, replace and remove, each applied to the result of those before', () => {
    const first = patchOf([set('b', `${zones}/-`), set('0', `${zones}/0`), set({ x: 1 }, '/spec/template/spec/o')]);
    const second = { ...patchOf([{ op: 'replace', path: '/spec/template/spec/o/x', value: 2 }]), name: 'q' };
    const third = { ...patchOf([{ op: 'remove', path: zones }]), name: 'r' };
    expect(specs([first], [ofControlPlane])).toEqual([{ zones: ['0', 'a', 'b'], o: { x: 1 } }]);
    expect(specs([first, second, third], [ofControlPlane])).toEqual([{ o: { x: 2 } }]);
  });

  it.each<[JsonPatch, string]>([
    [
      set(1, '/spec/template/spec/a/b'),
      'add operation does not apply: doc is missing path: "/spec/template/spec/a/b": missing value',
    ],
    [
      { op: 'replace', path: '/spec/template/spec/a/b', value: 1 },
      'replace operation does not apply: doc is missing path: /spec/template/spec/a/b: missing value',
    ],
    [
      { op: 'replace', path: '/spec/template/spec/a', value: 1 },
      'replace operation does not apply: doc is missing key: /spec/template/spec/a: missing value',
    ],
    [
      { op: 'remove', path: '/spec/template/spec/a' },
      "error in remove for path: '/spec/template/spec/a': unable to remove nonexistent key: a: missing value",
    ],
    [set(1, '/spec/__proto__'), 'add operation does not apply'],
  ])('%j does not apply', (patch, why) => {
    expect(() => specs([patchOf([patch])], [ofControlPlane])).toThrow(
      `failed to apply patches for patch "p": failed to apply patch: error applying json patch (RFC6902): ${why}`,
    );
  });

  it('change labels, annotations and the spec, and do not modify the given templates', () => {
    const before = structuredClone(ofControlPlane.object);
    const patch = patchOf([set({ a: 'b' }, '/metadata/labels'), set('other', '/metadata/name'), set('x')]);
    const [item] = applyPatches([patch], [ofControlPlane], { builtin: {} }, session);
    expect(item?.object.metadata).toEqual({ name: 't', labels: { a: 'b' } });
    expect(ofControlPlane.object).toEqual(before);
  });
});

it('limits all templates together, so that many patches do not keep a function busy', () => {
  const loops = `{{ $l := list 0 1 2 3 4 5 6 7 }}${'{{ range $l }}'.repeat(5)}${'{{ end }}'.repeat(5)}`;
  const patch = patchOf([set('x')], { controlPlane: true }, { enabledIf: `${loops}true` });
  const count = (length: number): ClassPatch[] => Array.from({ length }, () => patch);
  expect(specs(count(3), [ofControlPlane])).toMatchObject([{ type: 'x' }]);
  expect(() => specs(count(100), [ofControlPlane])).toThrow(
    /failed to calculate value for enabledIf: .*the template takes, together with others, too many steps/,
  );
});
