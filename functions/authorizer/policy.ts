import type { Caller } from './caller.ts';

/** The answer of a Lambda authorizer. API Gateway passes `context` on to the function, with all values as text. */
export interface AuthorizerAnswer {
  principalId: string;
  policyDocument: {
    Version: '2012-10-17';
    Statement: { Action: 'execute-api:Invoke'; Effect: 'Allow' | 'Deny'; Resource: string }[];
  };
  context: {
    /** The principal; it is also the user's name in Kubernetes. */
    principalArn: string;
    userName: string;
    /** Comma-separated. */
    groups: string;
    userId: string;
  };
}

/** API Gateway caches the answer for a token and uses it for later requests, so it must hold for the whole stage. */
const wholeStage = (methodArn: string): string => `${methodArn.split('/').slice(0, 2).join('/')}/*`;

/**
 * The answer for a caller that STS has identified: a caller with groups may call everything in the API's stage, and a
 * caller without groups nothing, so that API Gateway answers 403. The API itself decides what the caller may do with
 * each object.
 */
export const answerFor = (
  caller: Caller,
  groups: readonly string[] | undefined,
  methodArn: string,
): AuthorizerAnswer => ({
  principalId: caller.arn,
  policyDocument: {
    Version: '2012-10-17',
    Statement: [
      {
        Action: 'execute-api:Invoke',
        Effect: groups === undefined ? 'Deny' : 'Allow',
        Resource: wholeStage(methodArn),
      },
    ],
  },
  context: {
    principalArn: caller.arn,
    userName: caller.arn,
    groups: (groups ?? []).join(','),
    userId: caller.userId,
  },
});
