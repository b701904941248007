import { describe, expect, it } from 'vitest';
import { ignitionStub, ignitionUserData } from './ignition.ts';

const decode = (userData: string) => JSON.parse(Buffer.from(userData, 'base64').toString('utf8'));
const body = (version: string) => JSON.stringify({ ignition: { version }, systemd: {} });
const URL = 's3://bucket/node/w-1';
const proxy = { httpsProxy: 'http://proxy:3128', noProxy: ['169.254.169.254'] };
const tls = { certificateAuthorities: ['data:,ca'] };

describe('ignitionUserData', () => {
  it('is the unchanged bootstrap data', () => {
    expect(Buffer.from(ignitionUserData(' {}', {}), 'base64').toString()).toBe(' {}');
  });

  it('passes proxy and CAs to Ignition in addition to those in the data itself', () => {
    const own = {
      ignition: { version: '3.1.0', security: { tls: { certificateAuthorities: [{ source: 'data:,own' }] } } },
    };
    const { ignition } = decode(ignitionUserData(JSON.stringify(own), { ignition: { proxy, tls } }));

    expect(ignition.proxy).toEqual(proxy);
    expect(ignition.security.tls.certificateAuthorities).toEqual([{ source: 'data:,own' }, { source: 'data:,ca' }]);
  });

  it.each([
    [body('3.0.0'), { ignition: { proxy } }, /^spec\.ignition\.proxy: needs spec\.ignition\.version 3\.1/],
    [body('2.3.0'), { ignition: { tls } }, /^spec\.ignition\.tls: needs spec\.ignition\.version 3\.1/],
    [body('3.4.0'), { uncompressedUserData: false }, /^spec\.uncompressedUserData: must not be false/],
    [
      'x'.repeat(16_385),
      {},
      /^spec\.ignition\.storageType: .* has 16385 bytes, EC2 accepts 16384; use ClusterObjectStore/,
    ],
  ])('names the field of an invalid value: %.20s %j', (data, spec, says) => {
    expect(() => ignitionUserData(data, spec)).toThrow(says);
  });
});

describe('ignitionStub', () => {
  it('refers to the location of the data, in the Ignition version of the machine', () => {
    expect(decode(ignitionStub(URL, {}))).toEqual({
      ignition: { version: '2.3.0', config: { append: [{ source: URL }] } },
    });
    expect(decode(ignitionStub(URL, { ignition: { version: '3.4', proxy, tls } }))).toEqual({
      ignition: {
        version: '3.4.0',
        config: { merge: [{ source: URL }] },
        proxy,
        security: { tls: { certificateAuthorities: [{ source: 'data:,ca' }] } },
      },
    });
  });
});
