import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { validateSchema } from '../../kube-api/schema/validate.ts';
import { servedResources } from '../../kube-api/versions/served.ts';
import { KINDS } from '../index.ts';
import { conversionsOf } from './test-conversion.ts';

/** Fragments of objects with empty values that v1beta1 accepts and v1beta2 rejects. */
const EMPTY: readonly { kind: string; old: string }[] = [
  {
    kind: 'Machine',
    old: 'spec: { clusterName: a, bootstrap: {}, infrastructureRef: {}, readinessGates: [] }',
  },
  {
    kind: 'Cluster',
    old: `spec: { topology: { class: a, version: v1.34.0, controlPlane: { replicas: 1, readinessGates: [] },
      workers: { machineDeployments: [{ class: w, name: w, readinessGates: [] }] } } }`,
  },
  {
    kind: 'KubeadmControlPlane',
    old: `spec: { version: v1.34.0, kubeadmConfigSpec: {},
      machineTemplate: { infrastructureRef: {}, readinessGates: [] } }`,
  },
  {
    kind: 'ClusterClass',
    old: `spec: { controlPlane: { ref: { name: a }, readinessGates: [] }, variables: [{ name: a, required: true,
      schema: { openAPIV3Schema: { type: string, required: [], x-kubernetes-validations: [], x-metadata: {} } } }] }`,
  },
];

describe('v1beta1', () => {
  it.each(EMPTY)('accepts empty values in a $kind, which v1beta2 omits', ({ kind, old }) => {
    const definition = KINDS.find((each) => each.kind === kind);
    if (!definition) throw new Error(`no kind ${kind}`);
    const [, view] = servedResources([definition]);
    expect(validateSchema(view?.schema ?? {}, parse(old))).toEqual([]);
    const { toStored, toOld } = conversionsOf(definition);
    const stored = toStored(old);
    expect(JSON.stringify(stored.spec)).not.toMatch(/readinessGates|"required":\[|x-kubernetes-validations|x-metadata/);
    expect(toOld(JSON.stringify({ spec: stored.spec, metadata: stored.metadata })).spec).toMatchObject(
      (parse(old) as { spec: object }).spec,
    );
  });

  it.each([
    [
      'MachineHealthCheck',
      '{ clusterName: a, selector: { matchLabels: { a: b } }, unhealthyConditions: [] }',
      'checks',
    ],
    [
      'KubeadmControlPlane',
      `{ version: v1.34.0, kubeadmConfigSpec: {}, rolloutBefore: { certificatesExpiryDays: 0 } }`,
      'rollout',
    ],
    ['Cluster', '{ clusterNetwork: { pods: { cidrBlocks: [] } } }', 'clusterNetwork'],
  ])('stores no part of a %s that holds empty values only', (kind, spec, part) => {
    const definition = KINDS.find((each) => each.kind === kind);
    if (!definition) throw new Error(`no kind ${kind}`);
    const { toStored, toOld } = conversionsOf(definition);
    const stored = toStored(`spec: ${spec}`);
    expect(stored.spec ?? {}).not.toHaveProperty(part);
    expect(toOld(JSON.stringify({ spec: stored.spec, metadata: stored.metadata })).spec).toMatchObject(parse(spec));
  });
});
