import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { createLambdaClient } from '../aws/clients/lambda.ts';
import type { ExtensionConfig } from '../kinds/extension-config/schema.ts';
import { makeLambdaCall } from './lambda.ts';

const ARN = 'arn:aws:lambda:eu-west-1:123456789012:function:hooks:live';

interface Sent {
  hostname: string;
  path: string;
  body: string;
}

/** A Lambda function that returns this response. */
const lambda = (status: number, body: string, headers: Record<string, string> = {}) => {
  const sent: Sent[] = [];
  const requestHandler = {
    handle: async (request: { hostname: string; path: string; body: Uint8Array }) => {
      sent.push({ ...request, body: Buffer.from(request.body).toString() });
      return { response: { statusCode: status, headers, body: Readable.from([Buffer.from(body)]) } };
    },
  };
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const call = makeLambdaCall(
    (region) => createLambdaClient({ region, credentials, requestHandler: requestHandler as never, maxAttempts: 1 }),
    (milliseconds) => AbortSignal.timeout(milliseconds),
  );
  const config = { metadata: { name: 'policy' }, spec: { clientConfig: { url: ARN } } } as ExtensionConfig;
  const request = { kind: 'BeforeClusterCreateRequest', cluster: { kind: 'Cluster' } };
  const ask = () => call({ config, hook: 'BeforeClusterCreate', handler: 'quota', request, timeoutSeconds: 5 });
  return { ask, sent };
};

describe('an extension that is a function', () => {
  it('gets the request with the hook and the handler, in its own region', async () => {
    const { ask, sent } = lambda(200, '{"status":"Success"}');
    expect(await ask()).toEqual({ status: 'Success' });
    expect(sent[0]?.hostname).toBe('lambda.eu-west-1.amazonaws.com');
    expect(decodeURIComponent(sent[0]?.path ?? '')).toContain(ARN);
    expect(JSON.parse(sent[0]?.body ?? '')).toEqual({
      kind: 'BeforeClusterCreateRequest',
      cluster: { kind: 'Cluster' },
      hook: 'BeforeClusterCreate',
      handler: 'quota',
    });
  });

  it('fails without quoting what the function threw', async () => {
    const { ask } = lambda(200, '{"errorMessage":"a secret"}', { 'x-amz-function-error': 'Unhandled' });
    await expect(ask()).rejects.toThrow(/^lambda call failed: the function failed \(Unhandled\)$/);
  });

  it('names the remedy if it may not be invoked', async () => {
    const { ask } = lambda(403, '{"Message":"no"}', { 'x-amzn-errortype': 'AccessDeniedException' });
    await expect(ask()).rejects.toThrow('list its ARN in the setting extensionFunctions of the stack');
  });

  it('fails if the answer is not JSON', async () => {
    await expect(lambda(200, 'yes').ask()).rejects.toThrow('lambda call failed: failed to decode response');
  });
});
