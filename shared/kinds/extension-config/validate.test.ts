import { describe, expect, it } from 'vitest';
import { refusals } from '../test-admission.ts';
import { extensionConfig } from './definition.ts';
import type { ExtensionConfig } from './schema.ts';

const caBundle = Buffer.from('-----BEGIN CERTIFICATE-----\nMAo=\n-----END CERTIFICATE-----\n').toString('base64');

const config = (clientConfig: object, more: object = {}, metadata: object = {}): ExtensionConfig => ({
  apiVersion: 'runtime.cluster.x-k8s.io/v1beta2',
  kind: 'ExtensionConfig',
  metadata: { name: 'policy', ...metadata },
  spec: { clientConfig, ...more },
});

const refused = (clientConfig: object): string[] => refusals(extensionConfig, config(clientConfig));

describe('an ExtensionConfig', () => {
  it('may have a URL with a CA bundle, or a Lambda function without one', () => {
    expect(refused({ url: 'https://hooks.example.com:8443/v1', caBundle })).toEqual([]);
    expect(refused({ url: 'arn:aws:lambda:eu-west-1:123456789012:function:hooks' })).toEqual([]);
    expect(refused({ url: 'arn:aws-us-gov:lambda:us-gov-west-1:123456789012:function:hooks:live' })).toEqual([]);
  });

  it('gets a selector of all namespaces by default', () => {
    const one = config({ url: 'https://hooks.example.com', caBundle });
    expect(extensionConfig.default?.(one, undefined).spec.namespaceSelector).toEqual({});
  });

  it('is refused without a CA bundle, since no other CA is trusted', () => {
    expect(refused({ url: 'https://hooks.example.com' })).toEqual([
      "spec.clientConfig.caBundle: Required value: the CA of the server's certificate, PEM encoded in base64",
    ]);
    expect(refused({ url: 'https://hooks.example.com', caBundle: 'bm9uZQ==' })).toEqual([
      'spec.clientConfig.caBundle: Invalid value: "(hidden)": must be a PEM encoded certificate',
    ]);
    expect(refused({ url: 'arn:aws:lambda:eu-west-1:123456789012:function:hooks', caBundle })).toEqual([
      'spec.clientConfig.caBundle: Forbidden: a Lambda function has no certificate to verify',
    ]);
  });

  it.each([
    { url: 'http://hooks.example.com', why: "'https' is the only allowed URL scheme" },
    { url: 'hooks.example.com', why: 'must be a valid URL, e.g. https://example.com' },
    { url: 'arn:aws:sqs:eu-west-1:123456789012:hooks', why: 'the ARN of a Lambda function is allowed' },
    { url: 'https://me:secret@hooks.example.com', why: 'must not have a user' },
    { url: 'https://hooks.example.com/?a=b', why: 'must not have a query' },
    { url: 'https://hooks.example.com/#a', why: 'must not have a fragment' },
    { url: 'https://169.254.169.254/', why: 'must not be a link-local or metadata address' },
    { url: 'https://[fd00:ec2::254]/', why: 'must not be a link-local or metadata address' },
  ])('is refused with the URL $url', ({ url, why }) => {
    expect(refused({ url, caBundle }).join()).toContain(why);
  });

  it('is refused with a service, because there are no services', () => {
    expect(refused({ service: { name: 'hooks', namespace: 'default' } })).toEqual([
      'spec.clientConfig.service: Forbidden: there is no management cluster that has services; use url instead',
    ]);
    expect(refused({ caBundle })).toEqual(['spec.clientConfig: Required value: either url or service must be defined']);
    expect(refused({ url: 'https://a.example.com', service: { name: 'a', namespace: 'b' }, caBundle })).toEqual([
      'spec.clientConfig: Forbidden: only one of url or service can be defined',
    ]);
  });

  it('is refused with an injected CA, an invalid selector, or a name with dots', () => {
    const clientConfig = { url: 'https://hooks.example.com', caBundle };
    const annotations = { 'runtime.cluster.x-k8s.io/inject-ca-from-secret': 'default/ca' };
    expect(refusals(extensionConfig, config(clientConfig, {}, { annotations })).join()).toContain(
      'no CA is injected; set spec.clientConfig.caBundle instead',
    );
    const namespaceSelector = { matchExpressions: [{ key: 'a', operator: 'Near' }] };
    expect(refusals(extensionConfig, config(clientConfig, { namespaceSelector })).join()).toContain(
      '"Near" is not a valid label selector operator',
    );
    expect(refusals(extensionConfig, config(clientConfig, {}, { name: 'a.b' })).join()).toContain(
      'ExtensionConfig name should be a valid DNS1123 label name: [must not contain dots]',
    );
  });
});
