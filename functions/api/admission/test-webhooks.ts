/** For tests: admission webhooks on the test's own server, and configurations that name them. */
import { expect } from 'vitest';
import type { TestExtension } from '../../../shared/extensions/test-extension.ts';
import { makeWebhookCall } from '../../../shared/extensions/webhook.ts';
import type { JsonObject } from '../../../shared/kube-api/json.ts';
import { CRDS, definition, version } from '../custom/test-widgets.ts';
import { createTestApi } from '../test-api.ts';

export const CONFIGURATIONS = '/apis/admissionregistration.k8s.io/v1';

export type Review = { request: JsonObject & { uid: string; object: JsonObject & { spec?: object } } };

export const patching = (...operations: object[]) => ({
  allowed: true,
  patchType: 'JSONPatch',
  patch: Buffer.from(JSON.stringify(operations)).toString('base64'),
});

export const configuration = (kind: string, ...webhooks: object[]) => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind,
  metadata: { name: 'policy' },
  webhooks,
});

/** Rules that match every request. */
export const ANYTHING = { apiGroups: ['*'], apiVersions: ['*'], resources: ['*'] };

export const testWebhooks = (server: () => TestExtension) => ({
  /** Sets the server's answer to reviews from now on. */
  answerWith: (response: object | ((review: Review, path: string) => object)): void => {
    server().answer = (path, sent) => {
      const review = sent as unknown as Review;
      const { uid } = review.request;
      const given = typeof response === 'function' ? response(review, path) : response;
      return { body: { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response: { uid, ...given } } };
    };
  },
  webhook: (more: object = {}, rule: object = {}, path = 'hook') => ({
    name: 'policy.example.com',
    clientConfig: { url: `${server().url}/${path}`, caBundle: server().caBundle },
    rules: [{ apiGroups: ['example.com'], apiVersions: ['v1'], resources: ['widgets'], operations: ['*'], ...rule }],
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
    ...more,
  }),
});

/** An API with widgets and one configuration. */
export const withWebhooks = async (
  kind: 'Validating' | 'Mutating',
  webhooks: readonly object[],
  more: Parameters<typeof createTestApi>[1] = {},
) => {
  const callWebhook = makeWebhookCall({ deadline: (ms) => AbortSignal.timeout(ms), reach: { loopback: true } });
  const api = createTestApi(undefined, { callWebhook, ...more });
  const { admin } = api;
  await admin.ask('POST', CRDS, definition('widgets', 'Widget', {}, [version('v1'), version('v2')]));
  const path = `${CONFIGURATIONS}/${kind.toLowerCase()}webhookconfigurations`;
  const configured = await admin.ask('POST', path, configuration(`${kind}WebhookConfiguration`, ...webhooks));
  expect(configured).toMatchObject({ code: 201 });
  return { ...api, ask: admin.ask, send: admin.send, path };
};
