import { describe, expect, it } from 'vitest';
import type { AWSMachineSpec } from '../schema/aws-machine-spec.ts';
import { admit, example, refusals } from '../test-admission.ts';
import { awsMachineTemplate } from './definition.ts';
import type { AWSMachineTemplate } from './schema.ts';

const withSpec = (spec: Partial<AWSMachineSpec>, base = example(awsMachineTemplate)): AWSMachineTemplate => ({
  ...base,
  spec: { template: { ...base.spec.template, spec: { ...base.spec.template.spec, ...spec } } },
});

describe('an AWSMachineTemplate', () => {
  it('is immutable', () => {
    const old = admit(awsMachineTemplate, withSpec({}));
    const lines = refusals(awsMachineTemplate, withSpec({ instanceType: 'm5.large' }, old), old);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/^spec\.template\.spec: Invalid value: .*AWSMachineTemplate\.Spec is immutable$/);
  });

  it('may get labels and a status', () => {
    const old = admit(awsMachineTemplate, withSpec({}));
    const labelled = { ...old, metadata: { ...old.metadata, labels: { a: 'b' } }, status: { capacity: { cpu: 2 } } };
    expect(refusals(awsMachineTemplate, labelled, old)).toEqual([]);
  });

  it('may get metadata options that it did not have', () => {
    const old = admit(awsMachineTemplate, withSpec({}));
    expect(refusals(awsMachineTemplate, withSpec({ instanceMetadataOptions: {} }, old), old)).toEqual([]);
  });

  it('cannot set fields of a single machine', () => {
    const cloudInit = { secretPrefix: 'x', secretCount: 1 };
    expect(refusals(awsMachineTemplate, withSpec({ providerID: 'aws:///a/i-1', cloudInit }))).toEqual([
      'spec.template.spec.providerID: Forbidden: cannot be set in templates',
      'spec.template.spec.cloudInit.secretPrefix: Forbidden: cannot be set in templates',
      'spec.template.spec.cloudInit.secretCount: Forbidden: cannot be set in templates',
    ]);
  });
});
