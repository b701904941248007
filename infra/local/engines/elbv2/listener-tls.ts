import type * as sdk from '@aws-sdk/client-elastic-load-balancing-v2';
import { AwsFault, notSimulated } from '../wire/fault.ts';
import type { ListenerTls } from './records.ts';

const DEFAULT_POLICY = 'ELBSecurityPolicy-2016-08';

const SIMULATED: readonly string[] = ['TCP', 'UDP', 'TLS'];

/**
 * The TLS settings of a listener that ends TLS; undefined for others. Certificates are not checked for existence.
 * Throws AWS's faults.
 */
export const listenerTls = (
  protocol: sdk.ProtocolEnum,
  { Certificates, SslPolicy }: Pick<sdk.CreateListenerInput, 'Certificates' | 'SslPolicy'>,
  before?: ListenerTls,
): ListenerTls | undefined => {
  if (!SIMULATED.includes(protocol)) throw notSimulated(`a listener for ${protocol}`);
  if (protocol !== 'TLS') {
    if (Certificates?.length || SslPolicy)
      throw new AwsFault('ValidationError', `A listener for ${protocol} cannot have a certificate or an SSL policy`);
    return undefined;
  }
  const certificateArn = Certificates?.[0]?.CertificateArn ?? before?.certificateArn;
  if (!certificateArn) throw new AwsFault('ValidationError', 'A certificate must be specified for TLS listeners');
  if (!/^arn:aws[\w-]*:(acm|iam):/.test(certificateArn))
    throw new AwsFault('CertificateNotFound', `Certificate '${certificateArn}' not found`);
  return { certificateArn, policy: SslPolicy ?? before?.policy ?? DEFAULT_POLICY };
};
