import type { LambdaClient } from '@aws-sdk/client-lambda';
import { readReach } from '../../shared/config.ts';
import { makeHttpsCall } from '../../shared/extensions/https.ts';
import type { CallExtension, Deadline } from '../../shared/extensions/transport.ts';
import { isLambdaArn } from '../../shared/kinds/extension-config/lambda-arn.ts';
import type { Environment } from '../runtime.ts';

/** Loaded by the first extension that is a function: most installations have none. */
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

/** For entry points: calls extensions as their URLs say. */
export const makeCallExtension = (environment: Environment): CallExtension => {
  const deadline: Deadline = (milliseconds) => AbortSignal.timeout(milliseconds);
  const https = makeHttpsCall({ deadline, reach: readReach(environment) });
  const lambda = lambdaCall(deadline);
  return (call) => (isLambdaArn(call.config.spec.clientConfig.url ?? '') ? lambda(call) : https(call));
};
