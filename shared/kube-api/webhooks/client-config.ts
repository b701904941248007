import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { forbiddenField, invalidValue, required } from '../field-error.ts';
import type { FieldError } from '../resource.ts';
import type { ClientConfig } from './configuration.ts';

/** Validates the webhook servers that admins configure, with upstream's messages. */

const FORM = '; desired format: https://host[/path]';

/** URLs without a host, which Go parses and JavaScript does not. */
const WITHOUT_HOST = /^[a-z][a-z0-9+.-]*:\/\/(?:[/?#].*)?$/i;

const validateUrl = (text: string, at: string): FieldError[] => {
  if (WITHOUT_HOST.test(text)) return [invalidValue(at, '', `host must be specified${FORM}`)];
  if (!URL.canParse(text)) return [required(at, `url must be a valid URL: it cannot be read${FORM}`)];
  const { protocol, hostname, username, password, hash, search } = new URL(text);
  const user = [username, ...(password === '' ? [] : [password])].join(':');
  const address = hostname.replace(/^\[|\]$/g, '');
  const isSpecial = isIP(address) !== 0 && /^(0\.|169\.254\.|fe80:|fd00:ec2:|::$)/i.test(address);
  return [
    ...(protocol === 'https:'
      ? []
      : [invalidValue(at, protocol.replace(/:$/, ''), `'https' is the only allowed URL scheme${FORM}`)]),
    ...(user === '' ? [] : [invalidValue(at, user, 'user information is not permitted in the URL')]),
    ...(hash === '' ? [] : [invalidValue(at, hash.slice(1), 'fragments are not permitted in the URL')]),
    ...(search === '' ? [] : [invalidValue(at, search.slice(1), 'query parameters are not permitted in the URL')]),
    ...(isSpecial ? [invalidValue(at, text, 'must not be a link-local or metadata address')] : []),
  ];
};

const CERTIFICATE = /-----BEGIN CERTIFICATE-----.+?-----END CERTIFICATE-----/gs;

const isCertificate = (pem: string): boolean => {
  try {
    new X509Certificate(pem);
    return true;
  } catch {
    return false;
  }
};

/**
 * Reports whether calls can verify the server: by a certificate in the bundle, or by public CAs if there is no bundle.
 */
export const hasUsableBundle = ({ caBundle }: ClientConfig): boolean =>
  !caBundle || (Buffer.from(caBundle, 'base64').toString('latin1').match(CERTIFICATE) ?? []).some(isCertificate);

/** Validates a CA bundle. Pure. */
export const validateBundle = (config: ClientConfig, at: string): FieldError[] =>
  hasUsableBundle(config) ? [] : [invalidValue(at, '(hidden)', 'must be a PEM encoded certificate')];

/**
 * Validates how a webhook is called. A service is rejected, because this server has no cluster network. `written` is
 * the field as clients write it, if upstream's errors name a different one. Bundles are not validated: tools such as
 * cert-manager replace a placeholder after the object is created, and calls fail until then. Pure.
 */
export const validateClientConfig = (
  { url, service }: ClientConfig,
  { at, written = at }: { at: string; written?: string },
): FieldError[] => {
  if ((url === undefined) === (service === undefined)) {
    return [required(at, 'exactly one of url or service is required')];
  }
  const unreachable = 'there is no cluster that has services; use url instead';
  return [
    ...(service ? [forbiddenField(`${written}.service`, unreachable)] : []),
    ...(url === undefined ? [] : validateUrl(url, `${at}.url`)),
  ];
};
