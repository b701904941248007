import { describe, expect, it } from 'vitest';
import { awsMachine } from '../../aws-machine/definition.ts';
import type { AWSMachine } from '../../aws-machine/schema.ts';
import { awsMachinePool } from '../../aws-machine-pool/definition.ts';
import type { AWSMachinePool } from '../../aws-machine-pool/schema.ts';
import { awsMachineTemplate } from '../../aws-machine-template/definition.ts';
import type { AWSMachineSpec } from '../../schema/aws-machine-spec.ts';
import { admit, refusals } from '../../test-admission.ts';

type Ignition = NonNullable<AWSMachineSpec['ignition']>;

const apiVersion = 'infrastructure.cluster.x-k8s.io/v1beta2';

const machine = (ignition: Ignition): AWSMachine => ({
  apiVersion,
  kind: 'AWSMachine',
  metadata: { name: 'a' },
  spec: { instanceType: 't3.large', ignition: { version: '3.4', ...ignition } },
});

const pool = (ignition: Ignition): AWSMachinePool => ({
  apiVersion,
  kind: 'AWSMachinePool',
  metadata: { name: 'pool' },
  spec: {
    minSize: 1,
    maxSize: 1,
    awsLaunchTemplate: { instanceType: 'm7i.large' },
    ignition: { version: '3.4', ...ignition },
  },
});

const fields = (refused: string[]): string[] => refused.map((line) => line.slice(0, line.indexOf(': ')));

const WRONG: Ignition = {
  proxy: { httpProxy: '::bad', httpsProxy: 'ftp://proxy', noProxy: ['a.example', 'not a domain!'] },
  tls: { certificateAuthorities: ['https://a.example/ca.pem', 'ftp://a/ca.pem', 'data:no-comma', 'data:,%41'] },
};

const WRONG_FIELDS = [
  'ignition.proxy.httpProxy',
  'ignition.proxy.httpsProxy',
  'ignition.proxy.noProxy[1]',
  'ignition.tls.certificateAuthorities[1]',
  'ignition.tls.certificateAuthorities[2]',
  'ignition.tls.certificateAuthorities[3]',
];

describe('proxies and certificate authorities of Ignition', () => {
  it.each(['*', '10.0.0.1', 'fd00::1', '10.0.0.0/8', 'example.com', '.example.com', '10.0.0.1:80', '[fd00::1]:80'])(
    'may exclude %s from the proxy',
    (entry) => {
      expect(refusals(awsMachine, machine({ proxy: { noProxy: [entry] } }))).toEqual([]);
    },
  );

  it.each(['', 'Example.com', '..example.com', 'fe80::1%eth0', '10.0.0.0/33', 'two words'])(
    'may not exclude "%s" from the proxy',
    (entry) => {
      expect(fields(refusals(awsMachine, machine({ proxy: { noProxy: [entry] } })))).toEqual([
        'spec.ignition.proxy.noProxy[0]',
      ]);
    },
  );

  it('may have any scheme that Ignition reads', () => {
    const certificateAuthorities = [
      ...['http://a.example/ca.pem', 'https://a.example/ca.pem', 'tftp://a/ca.pem', 's3://bucket/ca.pem'],
      ...['arn:aws:s3:::bucket/ca.pem', 'gs://bucket/ca.pem', 'data:,QUI=', 'DATA:text/plain;base64,QU\nJD'],
    ];
    const proxy = { httpProxy: 'http://10.0.0.1:3128', httpsProxy: 'https://proxy.example' };

    expect(refusals(awsMachine, machine({ proxy, tls: { certificateAuthorities } }))).toEqual([]);
  });

  it('are refused with their own fields, in machines, templates and pools', () => {
    const template = { apiVersion, kind: 'AWSMachineTemplate', metadata: { name: 'a' } };
    const { spec } = machine(WRONG);

    expect(fields(refusals(awsMachine, machine(WRONG)))).toEqual(WRONG_FIELDS.map((field) => `spec.${field}`));
    expect(fields(refusals(awsMachinePool, pool(WRONG)))).toEqual(WRONG_FIELDS.map((field) => `spec.${field}`));
    expect(fields(refusals(awsMachineTemplate, { ...template, spec: { template: { spec } } }))).toEqual(
      WRONG_FIELDS.map((field) => `spec.template.spec.${field}`),
    );
  });

  it('do not prevent other changes if an earlier version stored invalid ones', () => {
    const oldMachine = admit(awsMachine, machine({}));
    const storedMachine = {
      ...oldMachine,
      spec: { ...oldMachine.spec, ignition: { ...oldMachine.spec.ignition, ...WRONG } },
    };
    const taggedMachine = { ...storedMachine, spec: { ...storedMachine.spec, additionalTags: { a: 'b' } } };
    const oldPool = admit(awsMachinePool, pool({}));
    const spec = { ...oldPool.spec, ignition: { ...oldPool.spec?.ignition, ...WRONG } } as AWSMachinePool['spec'];
    const storedPool: AWSMachinePool = { ...oldPool, spec };
    const grownPool = { ...storedPool, spec: { ...spec, maxSize: 3 } };

    expect(refusals(awsMachine, taggedMachine, storedMachine)).toEqual([]);
    expect(refusals(awsMachinePool, grownPool, storedPool)).toEqual([]);
  });
});
