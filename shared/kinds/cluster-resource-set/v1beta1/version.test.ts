import { expect, it } from 'vitest';
import { clusterResourceSetBinding } from '../../cluster-resource-set-binding/definition.ts';
import { machineDrainRule } from '../../machine-drain-rule/definition.ts';
import { conversionsOf, yaml } from '../../v1beta1/test-conversion.ts';
import { clusterResourceSet } from '../definition.ts';

const specOf = (text: string): unknown => (yaml(text) as { spec: unknown }).spec;

it('ClusterResourceSet v1beta1 has the same spec as v1beta2, and the conditions of both versions', () => {
  const spec =
    'spec: { clusterSelector: { matchLabels: { cni: x } }, resources: [{ kind: Secret, name: a }], strategy: ApplyOnce }';
  const conversions = conversionsOf(clusterResourceSet);
  const stored = conversions.toStored(`${spec}\nstatus: { conditions: [], v1beta2: { conditions: [] } }`);
  expect(stored).toMatchObject({
    spec: specOf(spec),
    status: { conditions: [], deprecated: { v1beta1: { conditions: [] } } },
    metadata: { name: 'any', namespace: 'default' },
  });
});

it.each([
  [clusterResourceSetBinding, 'spec: { clusterName: red, bindings: [{ clusterResourceSetName: a }] }'],
  [machineDrainRule, 'spec: { drain: { behavior: Skip }, pods: [{ selector: { matchLabels: { a: b } } }] }'],
] as const)('$kind is the same in both versions', (definition, text) => {
  const conversions = conversionsOf(definition as typeof machineDrainRule);
  expect(conversions.toStored(text).spec).toEqual(specOf(text));
  expect(conversions.toOld(text).spec).toEqual(specOf(text));
});
