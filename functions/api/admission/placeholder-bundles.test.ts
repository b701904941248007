import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startExtension, type TestExtension } from '../../../shared/extensions/test-extension.ts';
import { CRDS, definition, version, WIDGETS, widget } from '../custom/test-widgets.ts';
import { createTestApi } from '../test-api.ts';
import { testWebhooks, withWebhooks } from './test-webhooks.ts';

let server: TestExtension;

beforeAll(async () => {
  server = await startExtension();
});

afterAll(() => server.close());

beforeEach(() => {
  server.asked.length = 0;
});

const { answerWith, webhook } = testWebhooks(() => server);

/** A newline: cert-manager's manifests have this until its own CA is injected. */
const PLACEHOLDER = 'Cg==';
const textBundle = (text: string) => Buffer.from(text).toString('base64');
const NO_CERTIFICATE = textBundle('-----BEGIN CERTIFICATE-----\nMAo=\n-----END CERTIFICATE-----\n');

describe('the CA bundle of an admission webhook', () => {
  it.each([PLACEHOLDER, NO_CERTIFICATE])('may be a placeholder, but calls fail then: %s', async (caBundle) => {
    const { ask, path } = await withWebhooks('Validating', [
      webhook({ clientConfig: { url: `${server.url}/hook`, caBundle } }),
    ]);
    answerWith({ allowed: true });
    const refused = await ask('POST', WIDGETS, widget('one'));
    expect(refused).toMatchObject({ code: 500, body: { message: expect.stringContaining('failed calling webhook') } });
    expect(server.asked).toEqual([]);
    expect(await ask('PATCH', `${path}/policy`, { webhooks: [webhook()] })).toMatchObject({ code: 200 });
    expect(await ask('POST', WIDGETS, widget('one'))).toMatchObject({ code: 201 });
  });
});

describe('the CA bundle of a conversion webhook', () => {
  const CRD = `${CRDS}/widgets.example.com`;
  const conversion = (caBundle: string | null) => ({
    strategy: 'Webhook',
    webhook: { clientConfig: { url: 'https://convert.example.com', caBundle }, conversionReviewVersions: ['v1'] },
  });
  const setUp = async (caBundle: string | null) => {
    const { ask, send } = createTestApi().admin;
    const { spec, ...rest } = definition('widgets', 'Widget', {}, [version('v1'), version('v2')]);
    const created = await ask('POST', CRDS, { ...rest, spec: { ...spec, conversion: conversion(caBundle) } });
    expect(created).toMatchObject({ code: 201 });
    const replaceBundle = (next: string | null) => ask('PATCH', CRD, { spec: { conversion: conversion(next) } });
    const served = async () => (await send('GET', WIDGETS)).status;
    return { served, created, replaceBundle };
  };
  const establishedAs = (said: object) =>
    expect.arrayContaining([expect.objectContaining({ type: 'Established', ...said })]);

  it('may be a placeholder until a certificate replaces it, which establishes the definition', async () => {
    const { served, created, replaceBundle } = await setUp(PLACEHOLDER);
    const lacking = { status: 'False', reason: 'InvalidCABundle' };
    expect(created.body.status.conditions).toEqual(establishedAs(lacking));
    expect(await served()).toBe(404);
    expect((await replaceBundle(NO_CERTIFICATE)).body.status.conditions).toEqual(establishedAs(lacking));
    const established = await replaceBundle(server.caBundle);
    expect(established.body.status.conditions).toEqual(establishedAs({ status: 'True' }));
    expect(await served()).toBe(200);
  });

  it.each([null, 'its own'])('must stay a certificate once it is one: was %s', async (before) => {
    const { replaceBundle } = await setUp(before && server.caBundle);
    for (const placeholder of [PLACEHOLDER, NO_CERTIFICATE]) {
      expect(await replaceBundle(placeholder)).toMatchObject({
        code: 422,
        body: {
          details: {
            causes: [
              {
                field: 'spec.conversion.webhookClientConfig.caBundle',
                message: expect.stringContaining('must be a PEM encoded certificate'),
              },
            ],
          },
        },
      });
    }
    expect(await replaceBundle(null)).toMatchObject({ code: 200 });
  });
});
