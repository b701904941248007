import { describe, expect, it } from 'vitest';
import { AwsFault } from '../wire/fault.ts';
import { listenerTls } from './listener-tls.ts';

const CertificateArn = 'arn:aws:acm:us-east-1:000000000000:certificate/1';
const Certificates = [{ CertificateArn }];
const before = { certificateArn: CertificateArn, policy: 'older' };

const codeOf = (look: () => unknown): string | undefined => {
  try {
    look();
  } catch (error) {
    return error instanceof AwsFault ? error.code : String(error);
  }
  return undefined;
};

describe('the TLS configuration of a listener', () => {
  it('is undefined for other protocols, even if there was one before', () => {
    expect(listenerTls('TCP', {})).toBeUndefined();
    expect(listenerTls('UDP', {}, before)).toBeUndefined();
  });

  it('has a certificate, and the specified policy or the default', () => {
    expect(listenerTls('TLS', { Certificates })).toEqual({
      certificateArn: CertificateArn,
      policy: 'ELBSecurityPolicy-2016-08',
    });
    expect(listenerTls('TLS', { Certificates, SslPolicy: 'x' })?.policy).toBe('x');
  });

  it('keeps what a change does not mention', () => {
    expect(listenerTls('TLS', {}, before)).toEqual(before);
  });

  it.each([
    ['TLS without a certificate', 'TLS', {}, 'ValidationError'],
    ['a certificate that does not exist', 'TLS', { Certificates: [{ CertificateArn: 'x' }] }, 'CertificateNotFound'],
    ['a certificate without TLS', 'TCP', { Certificates }, 'ValidationError'],
    ['a policy without TLS', 'UDP', { SslPolicy: 'x' }, 'ValidationError'],
    ['HTTP', 'HTTP', {}, 'NotSimulated'],
  ] as const)('is refused for %s', (_, protocol, input, code) => {
    expect(codeOf(() => listenerTls(protocol, input as never))).toBe(code);
  });
});
