import { describe, expect, it } from 'vitest';
import type { AWSMachineSpec } from '../schema/aws-machine-spec.ts';
import { admit, refusals } from '../test-admission.ts';
import { awsMachine } from './definition.ts';
import type { AWSMachine } from './schema.ts';

const withSpec = (spec: Partial<AWSMachineSpec>): AWSMachine => ({
  apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
  kind: 'AWSMachine',
  metadata: { name: 'worker', namespace: 'default' },
  spec: { instanceType: 't3.large', ...spec },
});

const changed = (old: AWSMachine, spec: Partial<AWSMachineSpec>): AWSMachine => ({
  ...old,
  spec: { ...old.spec, ...spec },
});

describe('AWSMachine defaults', () => {
  it('require tokens for the metadata service, and keep user data in Secrets Manager', () => {
    const { spec } = admit(awsMachine, withSpec({}));
    expect(spec.instanceMetadataOptions).toEqual({
      httpEndpoint: 'enabled',
      httpProtocolIpv6: 'disabled',
      httpPutResponseHopLimit: 1,
      httpTokens: 'required',
      instanceMetadataTags: 'disabled',
    });
    expect(spec.cloudInit).toEqual({ secureSecretsBackend: 'secrets-manager' });
    expect(spec.hostAffinity).toBe('default');
  });

  it('complete partial metadata options', () => {
    const { spec } = admit(awsMachine, withSpec({ instanceMetadataOptions: { httpTokens: 'optional' } }));
    expect(spec.instanceMetadataOptions).toMatchObject({ httpTokens: 'optional', httpPutResponseHopLimit: 1 });
  });
});

describe('AWSMachine admission', () => {
  it('lets the controller record the instance and its fields', () => {
    const old = admit(awsMachine, withSpec({}));
    const learnt = {
      providerID: 'aws:///us-east-1a/i-1',
      instanceID: 'i-1',
      additionalTags: { team: 'a' },
      additionalSecurityGroups: [{ id: 'sg-1' }],
      cloudInit: { ...old.spec.cloudInit, secretPrefix: 'aws.cluster.x-k8s.io/1', secretCount: 2 },
    };
    const made = admit(awsMachine, changed(old, learnt), old);
    expect(made.spec).toMatchObject(learnt);

    const { cloudInit: _, ...without } = made.spec;
    expect(refusals(awsMachine, { ...made, spec: without }, made)).toEqual([]);
  });

  it('limits the number of secrets, but keeps a larger number that is stored', () => {
    const cloudInit = { secretPrefix: 'aws.cluster.x-k8s.io/1', secretCount: 501 };
    const line = 'spec.cloudInit.secretCount: Invalid value: 501: must be at most 500';
    expect(refusals(awsMachine, withSpec({ cloudInit }))).toEqual([line]);
    const old = admit(awsMachine, withSpec({}));
    expect(refusals(awsMachine, changed(old, { cloudInit }), old)).toEqual([line]);
    const stored = changed(old, { cloudInit });
    expect(refusals(awsMachine, changed(stored, { additionalTags: { team: 'a' } }), stored)).toEqual([]);
  });

  it('limits the number of security groups, but keeps a longer list that is stored', () => {
    const additionalSecurityGroups = Array.from({ length: 17 }, (_, index) => ({ id: `sg-${index}` }));
    const line = 'spec.additionalSecurityGroups: Too many: 17: must have at most 16 items';
    expect(refusals(awsMachine, withSpec({ additionalSecurityGroups }))).toEqual([line]);
    const old = admit(awsMachine, withSpec({}));
    expect(refusals(awsMachine, changed(old, { additionalSecurityGroups }), old)).toEqual([line]);
    expect(
      refusals(awsMachine, changed(old, { additionalSecurityGroups: additionalSecurityGroups.slice(1) }), old),
    ).toEqual([]);
    const stored = changed(old, { additionalSecurityGroups });
    expect(refusals(awsMachine, changed(stored, { additionalTags: { team: 'a' } }), stored)).toEqual([]);
  });

  it('refuses changes of all other fields, and names them', () => {
    const old = admit(awsMachine, withSpec({ rootVolume: { size: 8 } }));
    expect(refusals(awsMachine, changed(old, { instanceType: 't3.small', rootVolume: { size: 9 } }), old)).toEqual([
      'spec.instanceType: Forbidden: cannot be modified',
      'spec.rootVolume.size: Forbidden: cannot be modified',
    ]);
  });

  it.each<{ spec: Partial<AWSMachineSpec>; lines: string[] }>([
    {
      spec: { rootVolume: { size: 8, type: 'io1' } },
      lines: ["spec.rootVolume.iops: Required value: iops required if type is 'io1' or 'io2'"],
    },
    {
      spec: { rootVolume: { size: 8, type: 'gp3', throughput: 100 } },
      lines: ['spec.rootVolume.throughput: Invalid value: 100: throughput must be between 125 MiB/s and 2000 MiB/s'],
    },
    {
      spec: { nonRootVolumes: [{ size: 8 }] },
      lines: ['spec.nonRootVolumes[0].deviceName: Required value: non root volume should have device name'],
    },
    {
      spec: { cloudInit: { insecureSkipSecretsManager: true, secureSecretsBackend: 'secrets-manager' } },
      lines: [
        'spec.cloudInit.secureSecretsBackend: Forbidden: cannot be set if spec.cloudInit.insecureSkipSecretsManager is true',
      ],
    },
    {
      spec: { cloudInit: { secretPrefix: 'x' } },
      lines: ['spec.cloudInit.secretCount: Forbidden: must be set together with spec.cloudInit.secretPrefix'],
    },
    {
      spec: { ignition: { version: '3.0', proxy: {} }, cloudInit: { insecureSkipSecretsManager: true } },
      lines: [
        'spec.cloudInit: Forbidden: cannot be set if spec.ignition is set',
        'spec.ignition.proxy: Forbidden: cannot be set if spec.ignition.version is 2.3 or 3.0',
      ],
    },
    {
      spec: { additionalSecurityGroups: [{ id: 'sg-1', filters: [{ name: 'a', values: ['b'] }] }] },
      lines: [
        'spec.additionalSecurityGroups[0]: Forbidden: only one of ID or Filters may be specified, specifying both is forbidden',
      ],
    },
    {
      spec: { hostID: 'h-0123456789abcdef0' },
      lines: ["spec.hostID: Forbidden: hostID can only be set when tenancy is 'host'"],
    },
    {
      spec: { marketType: 'OnDemand', spotMarketOptions: {} },
      lines: ['spec.marketType: Forbidden: OnDemand and spotMarketOptions cannot be used together'],
    },
    {
      spec: { instanceType: 'm' },
      lines: ['spec.instanceType: Invalid value: "m": spec.instanceType in body should be at least 2 chars long'],
    },
  ])('refuses $spec', ({ spec, lines }) => {
    expect(refusals(awsMachine, withSpec(spec))).toEqual(lines);
  });

  it('warns about fields that are not reconciled yet', () => {
    const object = admit(awsMachine, withSpec({ ami: { eksLookupType: 'AmazonLinux' }, networkInterfaces: ['eni-1'] }));
    expect(awsMachine.warnings?.(object, undefined)).toEqual(['spec.ami.eksLookupType: not reconciled yet']);
  });
});

describe('an AWSMachine with host affinity but without host tenancy, as upstream 2.10.0 created it', () => {
  const affine = withSpec({ hostAffinity: 'host' });

  it('cannot be created', () => {
    expect(refusals(awsMachine, affine)).toEqual([
      "spec.hostAffinity: Forbidden: hostAffinity can only be set to 'host' when tenancy is 'host'",
    ]);
  });

  it('can be moved to Windlass with its instance, and changed afterwards', () => {
    const moved = admit(awsMachine, changed(affine, { providerID: 'aws:///us-east-1a/i-0123456789abcdef0' }));

    expect(moved.spec).toMatchObject({ hostAffinity: 'host', instanceID: 'i-0123456789abcdef0' });
    expect(refusals(awsMachine, changed(moved, { additionalTags: { team: 'a' } }), moved)).toEqual([]);
    expect(refusals(awsMachine, changed(affine, { instanceID: 'i-0123456789abcdef0' }))).toEqual([]);
  });

  it('can be changed if an earlier version admitted it, except for its host affinity', () => {
    const admitted = admit(awsMachine, withSpec({}));
    const old = changed(admitted, { hostAffinity: 'host' });

    expect(refusals(awsMachine, changed(old, { additionalTags: { team: 'a' } }), old)).toEqual([]);
    expect(refusals(awsMachine, old, admitted)).toEqual(['spec.hostAffinity: Forbidden: cannot be modified']);
  });
});
