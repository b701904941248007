import { isIP } from 'node:net';
import { forbiddenField, invalidValue, required } from '../../kube-api/field-error.ts';
import { checkDnsLabel } from '../../kube-api/names.ts';
import type { FieldError } from '../../kube-api/resource.ts';
import { validateSelectorSyntax } from '../rules/kubernetes/label-selector.ts';
import { isLambdaArn } from './lambda-arn.ts';
import type { ExtensionConfig } from './schema.ts';

const AT = 'spec.clientConfig';

/** Upstream copies the bundle from a Secret into the object. */
const INJECTED_CA = 'runtime.cluster.x-k8s.io/inject-ca-from-secret';

type ClientConfig = ExtensionConfig['spec']['clientConfig'];

/** Parts that upstream documents as forbidden, but does not check. */
const EXTRA_PARTS = [
  ['username', 'a user'],
  ['password', 'a password'],
  ['search', 'a query'],
  ['hash', 'a fragment'],
] as const;

const parsed = (url: string): URL | undefined => (URL.canParse(url) ? new URL(url) : undefined);

const validateHttps = (text: string, url: URL): FieldError[] => {
  const invalid = (detail: string): FieldError => invalidValue(`${AT}.url`, text, detail);
  if (url.protocol !== 'https:') {
    return [
      invalid(
        "'https' is the only allowed URL scheme, e.g. https://example.com; the ARN of a Lambda function is allowed",
      ),
    ];
  }
  const extra = EXTRA_PARTS.filter(([part]) => url[part] !== '').map(([, name]) =>
    forbiddenField(`${AT}.url`, `must not have ${name}`),
  );
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const isSpecial = isIP(host) !== 0 && /^(0\.|169\.254\.|fe80:|fd00:ec2:|::$)/i.test(host);
  return [...extra, ...(isSpecial ? [invalid('must not be a link-local or metadata address')] : [])];
};

const validateUrl = ({ url, caBundle }: ClientConfig): FieldError[] => {
  if (!url) return [];
  if (isLambdaArn(url)) {
    return caBundle ? [forbiddenField(`${AT}.caBundle`, 'a Lambda function has no certificate to verify')] : [];
  }
  const found = parsed(url);
  if (!found) return [invalidValue(`${AT}.url`, url, 'must be a valid URL, e.g. https://example.com')];
  return [
    ...validateHttps(url, found),
    ...(caBundle ? [] : [required(`${AT}.caBundle`, "the CA of the server's certificate, PEM encoded in base64")]),
  ];
};

const validateBundle = ({ caBundle }: ClientConfig): FieldError[] => {
  if (!caBundle) return [];
  const pem = Buffer.from(caBundle, 'base64').toString('latin1');
  return pem.includes('-----BEGIN CERTIFICATE-----')
    ? []
    : [invalidValue(`${AT}.caBundle`, '(hidden)', 'must be a PEM encoded certificate')];
};

const validateClient = (config: ClientConfig): FieldError[] => {
  const { url, service } = config;
  if (!url && !service) return [required(AT, 'either url or service must be defined')];
  if (url && service) return [forbiddenField(AT, 'only one of url or service can be defined')];
  const unreachable = 'there is no management cluster that has services; use url instead';
  return [
    ...(service ? [forbiddenField(`${AT}.service`, unreachable)] : []),
    ...validateUrl(config),
    ...validateBundle(config),
  ];
};

/**
 * Cluster API's rules (core/webhooks/admission/extensionconfig.go), and those of Windlass: an extension is a server at
 * an HTTPS URL with a CA bundle, or a Lambda function.
 */
export const validateExtensionConfig = ({ metadata, spec }: ExtensionConfig): FieldError[] => {
  const name = checkDnsLabel(metadata.name);
  const words = `ExtensionConfig name should be a valid DNS1123 label name: [${name.join(' ')}]`;
  return [
    ...(name.length > 0 ? [invalidValue('metadata.name', metadata.name, words)] : []),
    ...(metadata.annotations?.[INJECTED_CA] === undefined
      ? []
      : [forbiddenField(`metadata.annotations[${INJECTED_CA}]`, `no CA is injected; set ${AT}.caBundle instead`)]),
    ...validateClient(spec.clientConfig),
    ...validateSelectorSyntax(spec.namespaceSelector, 'spec.namespaceSelector'),
  ];
};
