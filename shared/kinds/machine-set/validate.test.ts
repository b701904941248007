import { describe, expect, it } from 'vitest';
import { machineDeployment } from '../machine-deployment/definition.ts';
import { labelValueOf } from '../rules/names.ts';
import { admit, example, refusals } from '../test-admission.ts';
import { machineSet } from './definition.ts';
import type { MachineSet } from './schema.ts';

const set = (name: string, spec: Partial<MachineSet['spec']> = {}): MachineSet => {
  const { clusterName, template } = example(machineDeployment).spec;
  return {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'MachineSet',
    metadata: { name, namespace: 'default' },
    spec: { clusterName, selector: {}, template, ...spec },
  };
};

describe('MachineSet admission', () => {
  it('has one replica by default and selects by name if there is no selector', () => {
    const { metadata, spec } = admit(machineSet, set('workers'));
    expect(spec.replicas).toBe(1);
    expect(spec.selector.matchLabels).toEqual({ 'cluster.x-k8s.io/set-name': 'workers' });
    expect(spec.template.metadata?.labels).toMatchObject({ 'cluster.x-k8s.io/set-name': 'workers' });
    expect(metadata.labels).toEqual({ 'cluster.x-k8s.io/cluster-name': 'quickstart' });
  });

  it('replaces a name that is too long for a label by a hash', () => {
    expect(labelValueOf('workers')).toBe('workers');
    // 0xd49930d5 is a vector of FNV's own test suite (http://www.isthe.com/chongo/tech/comp/fnv/).
    expect(labelValueOf('chongo was here!\n')).toBe('hash_1Jkw1Q_z');
    const long = 'x'.repeat(64);
    expect(admit(machineSet, set(long)).spec.selector.matchLabels).toEqual({
      'cluster.x-k8s.io/set-name': labelValueOf(long),
    });
  });

  it('requires the selector to select the template', () => {
    const lines = refusals(machineSet, set('workers', { selector: { matchLabels: { pool: 'a' } } }));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('must match spec.selector "pool=a"');
  });

  it('refuses the name of an unknown preflight check to skip', () => {
    const key = 'machineset.cluster.x-k8s.io/skip-preflight-checks';
    const object = set('workers');
    const annotated = { ...object, metadata: { ...object.metadata, annotations: { [key]: 'All, Weather' } } };
    const lines = refusals(machineSet, annotated);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('["Weather"]: skipped preflight check(s) must be among');
  });
});
