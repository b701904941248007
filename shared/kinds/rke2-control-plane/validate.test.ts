import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import type { KubeObject } from '../../kube-api/object.ts';
import type { ResourceDefinition } from '../../kube-api/resource.ts';
import { KINDS } from '../index.ts';
import { rke2ConfigTemplate } from '../rke2-config-template/definition.ts';
import { admit, refusals } from '../test-admission.ts';
import { rke2ControlPlane } from './definition.ts';
import type { RKE2ControlPlane } from './schema.ts';

const EXAMPLE = new URL('../../../examples/rke2.yaml', import.meta.url);
const objects = (): KubeObject[] =>
  parseAllDocuments(readFileSync(EXAMPLE, 'utf8')).map((document) => document.toJS() as KubeObject);

const example = (over: object = {}): RKE2ControlPlane => {
  const found = objects().find(({ kind }) => kind === 'RKE2ControlPlane') as RKE2ControlPlane;
  return { ...found, spec: { ...found.spec, ...over } };
};

/** The kinds that contain an RKE2 configuration; `nested` if it is inside a template. */
const RKE2_KINDS = [
  { kind: 'RKE2Config', nested: false },
  { kind: 'RKE2ConfigTemplate', nested: true },
  { kind: 'RKE2ControlPlane', nested: false },
].map(({ kind, nested }) => {
  const definition = KINDS.find((each) => each.kind === kind) as ResourceDefinition;
  const template = objects().find((each) => each.kind === kind) ?? {
    apiVersion: 'bootstrap.cluster.x-k8s.io/v1beta2',
    kind,
    metadata: { name: 'a', namespace: 'default' },
  };
  const { spec: before = {} } = template as { spec?: object };
  const within = (spec: object) => ({ ...template, spec: nested ? { template: { spec } } : { ...before, ...spec } });
  return { kind, definition, within };
});

describe('RKE2ControlPlane admission', () => {
  it('accepts the example and all objects that belong to it, without warnings', () => {
    for (const object of objects()) {
      const definition = KINDS.find(({ kind }) => kind === object.kind);
      if (!definition) throw new Error(`no kind ${object.kind}`);
      expect(refusals(definition, object), object.kind).toEqual([]);
      expect(definition.warnings?.(admit(definition, object), undefined) ?? [], object.kind).toEqual([]);
    }
  });

  it('sets the same defaults as the provider', () => {
    const { spec } = admit(rke2ControlPlane, example({ replicas: undefined }));
    expect(spec.replicas).toBe(1);
    expect(spec.agentConfig?.format).toBe('cloud-config');
    expect(spec.machineTemplate.spec.deletion).toEqual({
      nodeDrainTimeoutSeconds: 120,
      nodeVolumeDetachTimeoutSeconds: 300,
      nodeDeletionTimeoutSeconds: 10,
    });
  });

  it.each([
    { over: { replicas: 0 }, refusal: 'spec.replicas: Forbidden: cannot be less than or equal to 0' },
    {
      over: { registrationMethod: 'address' },
      refusal: 'spec.registrationAddress: Invalid value: "": registrationAddress must be supplied',
    },
    {
      over: { serverConfig: { cniMultusEnable: true } },
      refusal: 'spec.serverConfig.cni: Invalid value: "": must be specified when cniMultusEnable is true',
    },
    { over: { version: 'v1.34.2' }, refusal: 'spec.version: Invalid value: "v1.34.2"' },
    { over: { version: '' }, refusal: 'spec.version: Required value' },
    { over: { machineTemplate: undefined }, refusal: 'spec.machineTemplate.spec.infrastructureRef: Invalid value' },
    { over: { rolloutStrategy: undefined }, refusal: 'spec.rolloutStrategy: Required value' },
    {
      over: { privateRegistriesConfig: { configs: { 'a.example.com': {} } } },
      refusal: 'spec.privateRegistriesConfig.configs.a.example.com: Invalid value',
    },
  ])('reports $refusal', ({ over, refusal }) => {
    expect(refusals(rke2ControlPlane, example(over))).toEqual([expect.stringContaining(refusal)]);
  });

  it.each(RKE2_KINDS)('accepts only one source of user data and of a file in $kind', ({ definition, within }) => {
    const source = { name: 'a', key: 'b' };
    const taken = [
      { agentConfig: { additionalUserData: { config: 'users: []' } } },
      { agentConfig: { additionalUserData: { data: { users: '[]' }, strict: true } } },
      { files: [{ path: '/a', contentFrom: { secret: source } }] },
      { files: [{ path: '/a', contentFrom: { configMap: source } }] },
    ];
    expect(taken.flatMap((spec) => refusals(definition, within(spec)))).toEqual([]);

    const userData = { agentConfig: { additionalUserData: { config: '', data: { users: '[]' } } } };
    expect(refusals(definition, within(userData))).toEqual([
      expect.stringMatching(/spec\.agentConfig\.additionalUserData: Invalid value: .*only one of config or data/),
    ]);
    const file = { files: [{ path: '/a' }, { path: '/b', contentFrom: { secret: source, configMap: source } }] };
    expect(refusals(definition, within(file))).toEqual([
      expect.stringMatching(/spec\.files\[1\]\.contentFrom: Invalid value: .*only one of secret or configMap/),
    ]);
  });

  it('allows other changes of an object that was stored before these rules', () => {
    const both = { secret: { name: 'a', key: 'b' }, configMap: { name: 'a', key: 'b' } };
    const spec = {
      agentConfig: { format: 'cloud-config', additionalUserData: { config: 'users: []', data: { users: '[]' } } },
      files: [{ path: '/b', contentFrom: both }],
    };
    const stored = { ...admit(rke2ControlPlane, example()) };
    const old = { ...stored, spec: { ...stored.spec, ...spec } } as RKE2ControlPlane;
    expect(refusals(rke2ControlPlane, { ...old, spec: { ...old.spec, replicas: 3 } }, old)).toEqual([]);
    const moved = { ...old, spec: { ...old.spec, files: [{ path: '/c', contentFrom: both }] } };
    expect(refusals(rke2ControlPlane, moved, old)).toEqual([expect.stringContaining('spec.files[0].contentFrom')]);
  });

  it('refuses to change the registration method, but allows setting one later', () => {
    const old = admit(rke2ControlPlane, example());
    const moved = { ...old, spec: { ...old.spec, registrationMethod: 'internal-first' } };
    expect(refusals(rke2ControlPlane, moved, old)[0]).toContain('field value is immutable once set');
    const unset = admit(rke2ControlPlane, example({ registrationMethod: undefined }));
    expect(refusals(rke2ControlPlane, moved, unset)).toEqual([]);
  });

  it('refuses annotations that a node cannot have, unless they were stored before', () => {
    const annotated = (nodeAnnotations: Record<string, string>): RKE2ControlPlane => {
      const { metadata, ...rest } = example({ agentConfig: { nodeAnnotations } });
      return { ...rest, metadata: { ...metadata, namespace: 'default' } };
    };
    const at = 'spec.agentConfig.nodeAnnotations';
    expect(refusals(rke2ControlPlane, annotated({ 'not a key': 'b' }))).toEqual([
      expect.stringContaining(`${at}: Invalid value: "not a key": name part must consist of`),
    ]);
    expect(refusals(rke2ControlPlane, annotated({ a: 'b'.repeat(32_768) }))).toEqual([
      `${at}: Too long: may not be more than 32768 bytes`,
    ]);
    const old = annotated({ 'not a key': 'b' });
    expect(refusals(rke2ControlPlane, annotated({ 'not a key': 'b' }), old)).toEqual([]);
    expect(refusals(rke2ControlPlane, annotated({ 'example.com/rack': 'r1' }))).toEqual([]);
  });

  it('warns about fields that are not reconciled', () => {
    const template = objects().find(({ kind }) => kind === 'RKE2ConfigTemplate');
    const agentConfig = { nodeName: 'a' };
    const object = { ...template, spec: { template: { spec: { agentConfig } } } };
    expect(rke2ConfigTemplate.warnings?.(admit(rke2ConfigTemplate, object), undefined)).toEqual([
      'spec.template.spec.agentConfig.nodeName: not reconciled yet',
    ]);
  });
});
