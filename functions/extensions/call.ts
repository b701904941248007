import type { LambdaClient } from '@aws-sdk/client-lambda';
import { makeHttpsCall } from '../../shared/extensions/https.ts';
import type { HttpsOptions } from '../../shared/extensions/post.ts';
import type { CallExtension, Deadline } from '../../shared/extensions/transport.ts';
import { isLambdaArn } from '../../shared/kinds/extension-config/lambda-arn.ts';

/** Loaded when the first extension that is a function is called: most installations have none. */
const lambdaCall = (deadline: Deadline): CallExtension => {
  let loaded: Promise<CallExtension> | undefined;
  const load = async (): Promise<CallExtension> => {
    const { makeLambdaCall } = await import('../../shared/extensions/lambda.ts');
    const { createLambdaClient } = await import('../../shared/aws/clients/lambda.ts');
    const clients = new Map<string, LambdaClient>();
    const clientOf = (region: string): LambdaClient => {
      const client = clients.get(region) ?? createLambdaClient({ region });
      clients.set(region, client);
      return client;
    };
    return makeLambdaCall(clientOf, deadline);
  };
  return async (call) => {
    loaded ??= load();
    return (await loaded)(call);
  };
};

/** Calls each extension as its URL says. */
export const makeCallExtension = (options: HttpsOptions): CallExtension => {
  const https = makeHttpsCall(options);
  const lambda = lambdaCall(options.deadline);
  return (call) => (isLambdaArn(call.config.spec.clientConfig.url ?? '') ? lambda(call) : https(call));
};
