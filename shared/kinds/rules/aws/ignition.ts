import { isIP } from 'node:net';
import { parseCidr } from '../../../cidr.ts';
import { forbiddenField, invalidValue } from '../../../kube-api/field-error.ts';
import { checkSubdomain } from '../../../kube-api/names.ts';
import type { FieldError } from '../../../kube-api/resource.ts';
import type { AWSMachineSpec } from '../../schema/aws-machine-spec.ts';

/**
 * Rules for the settings that a machine's Ignition needs for its connections (upstream's validateIgnitionProxy and
 * validateIgnitionTLS).
 */

type Ignition = NonNullable<AWSMachineSpec['ignition']>;

/** Ignition itself refuses a config with another kind of proxy, and the machine does not boot. */
const isProxy = (text: string): boolean => /^https?:\/\//i.test(text) && URL.canParse(text);

/** A host in brackets or without a colon, and a port, as Go's net.SplitHostPort requires. */
const HOST_AND_PORT = /^(\[[^[\]]*\]|[^:[\]]*):[^:[\]]*$/;

/** Everything, an address, a block, a host with a port, or a domain. With a leading dot, only the subdomains. */
const isNoProxy = (text: string): boolean =>
  text === '*' ||
  (isIP(text) !== 0 && !text.includes('%')) ||
  parseCidr(text) !== undefined ||
  HOST_AND_PORT.test(text) ||
  checkSubdomain(text.replace(/^\./, '')).length === 0;

const validateProxy = ({ proxy = {} }: Ignition, field: string): FieldError[] => [
  ...(['httpProxy', 'httpsProxy'] as const).flatMap((name) => {
    const url = proxy[name];
    return url === undefined || isProxy(url)
      ? []
      : [invalidValue(`${field}.proxy.${name}`, url, 'must be a URL that begins with http:// or https://')];
  }),
  ...(proxy.noProxy ?? []).flatMap((text, index) =>
    isNoProxy(text)
      ? []
      : [
          invalidValue(
            `${field}.proxy.noProxy[${index}]`,
            text,
            'must be an IP address, a CIDR block, a domain in lower case, one of these with a port, or *',
          ),
        ],
  ),
];

const SCHEMES = ['http', 'https', 'tftp', 's3', 'arn', 'gs', 'data'];

const schemeOf = (url: string): string => /^([a-z][a-z0-9+.-]*):/i.exec(url)?.[1]?.toLowerCase() ?? '';

/** Base64 in the form that Go's encoding/base64 accepts: padded, with line breaks anywhere. */
const isBase64 = (text: string): boolean => {
  const bare = text.replace(/[\r\n]/g, '');
  return bare.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(bare);
};

const faultOfAuthority = (url: string): string | undefined => {
  const scheme = schemeOf(url);
  if (!SCHEMES.includes(scheme)) return `must be a URL with one of the schemes ${SCHEMES.join(', ')}`;
  if (scheme !== 'data') return URL.canParse(url) ? undefined : 'is not a URL';
  const comma = url.indexOf(',');
  return comma >= 0 && isBase64(url.slice(comma + 1)) ? undefined : 'must be a data URL with base64 after its comma';
};

/** The values are not shown, because a bundle of certificates may be long. */
const validateAuthorities = ({ tls = {} }: Ignition, field: string): FieldError[] =>
  (tls.certificateAuthorities ?? []).flatMap((url, index) => {
    const detail = faultOfAuthority(url);
    return detail ? [invalidValue(`${field}.tls.certificateAuthorities[${index}]`, undefined, detail)] : [];
  });

const OLD_VERSIONS = ['2.3', '3.0'];

/** Rules for the proxy and the certificate authorities of Ignition. */
export const validateIgnitionAccess = (ignition: Ignition, field: string): FieldError[] => {
  const isOld = ignition.version !== undefined && OLD_VERSIONS.includes(ignition.version);
  const tooOld = (['proxy', 'tls'] as const).filter((name) => isOld && ignition[name] !== undefined);
  return [
    ...tooOld.map((name) => forbiddenField(`${field}.${name}`, `cannot be set if ${field}.version is 2.3 or 3.0`)),
    ...validateProxy(ignition, field),
    ...validateAuthorities(ignition, field),
  ];
};
