import { describe, expect, it } from 'vitest';
import { type ReferenceSources, resolveRke2Files, resolveRke2References } from './references.ts';

const sources: ReferenceSources = {
  namespace: 'default',
  secret: async (name) => (name === 'audit' ? { 'audit-policy.yaml': Buffer.from('rules: []') } : undefined),
  configMap: async (name) => (name === 'dns' ? { 'resolv.conf': 'nameserver 1.1.1.1', other: 'x' } : undefined),
};

describe('the references of an RKE2 configuration', () => {
  it('are resolved with all keys, by the path of the field', async () => {
    const spec = { agentConfig: { resolvConf: { name: 'dns', namespace: 'default' } } };
    expect(await resolveRke2References(spec, { auditPolicySecret: { name: 'audit' } }, sources)).toEqual({
      'agentConfig.resolvConf': { 'resolv.conf': 'nameserver 1.1.1.1', other: 'x' },
      auditPolicySecret: { 'audit-policy.yaml': 'rules: []' },
    });
  });

  it.each([
    { reference: { name: 'absent' }, message: 'spec.serverConfig.auditPolicySecret: there is no Secret "absent"' },
    { reference: { kind: 'Secret' }, message: 'spec.serverConfig.auditPolicySecret.name: is missing' },
    {
      reference: { name: 'audit', namespace: 'other' },
      message: 'spec.serverConfig.auditPolicySecret.namespace: must be default',
    },
  ])('are refused with the field: $message', async ({ reference, message }) => {
    await expect(resolveRke2References({}, { auditPolicySecret: reference }, sources)).rejects.toThrow(message);
  });

  it('are refused with the name of a missing key', async () => {
    const server = { secretsEncryption: { encryptionKeySecret: { name: 'audit' } } };
    await expect(resolveRke2References({}, server, sources)).rejects.toThrow(
      'spec.serverConfig.secretsEncryption.encryptionKeySecret: Secret "audit" has no key "encryptionKey"',
    );
  });

  it('supply the content of files', async () => {
    const from = (key: string) => ({ path: '/a', contentFrom: { configMap: { name: 'dns', key } } });
    expect(await resolveRke2Files({ files: [from('other'), { path: '/b' }] }, sources)).toEqual([
      { path: '/a', content: 'x' },
      { path: '/b', content: '' },
    ]);
    await expect(resolveRke2Files({ files: [from('absent')] }, sources)).rejects.toThrow(
      'spec.files[0].contentFrom.configMap: ConfigMap "dns" has no key "absent"',
    );
  });

  it('are encoded as base64 if the content is binary', async () => {
    const bytes = Uint8Array.from([0x1f, 0x8b, 0xff]);
    const files = [{ path: '/a', contentFrom: { secret: { name: 'binary', key: 'x' } } }];
    expect(await resolveRke2Files({ files }, { ...sources, secret: async () => ({ x: bytes }) })).toEqual([
      { path: '/a', encoding: 'base64', content: Buffer.from(bytes).toString('base64') },
    ]);
  });
});
