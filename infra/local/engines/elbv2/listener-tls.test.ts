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

describe('how a listener ends TLS', () => {
  it('is not at all for other protocols, also if it did before', () => {
    expect(listenerTls('TCP', {})).toBeUndefined();
    expect(listenerTls('UDP', {}, before)).toBeUndefined();
  });

  it('has a certificate, and a policy of its own or the default', () => {
    expect(listenerTls('TLS', { Certificates })).toEqual({
      certificateArn: CertificateArn,
      policy: 'ELBSecurityPolicy-2016-08',
    });
    expect(listenerTls('TLS', { Certificates, SslPolicy: 'x' })?.policy).toBe('x');
  });

  it('stays as far as a change does not mention it', () => {
    expect(listenerTls('TLS', {}, before)).toEqual(before);
  });

  it.each([
    ['TLS without a certificate', 'TLS', {}, 'ValidationError'],
    ['a certificate that is none', 'TLS', { Certificates: [{ CertificateArn: 'x' }] }, 'CertificateNotFound'],
    ['a certificate without TLS', 'TCP', { Certificates }, 'ValidationError'],
    ['a policy without TLS', 'UDP', { SslPolicy: 'x' }, 'ValidationError'],
    ['HTTP', 'HTTP', {}, 'NotSimulated'],
  ] as const)('is refused: %s', (_, protocol, input, code) => {
    expect(codeOf(() => listenerTls(protocol, input as never))).toBe(code);
  });
});
