import type { Caller } from './caller.ts';

/** What a Lambda authorizer answers. API Gateway hands `context` on to the function, all values as text. */
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

/** API Gateway caches the answer for a token for all later requests, so it must be valid for the whole stage. */
const wholeStage = (methodArn: string): string => `${methodArn.split('/').slice(0, 2).join('/')}/*`;

/**
 * The answer for a caller that STS vouches for: all of the API's stage for one who has groups, nothing for one who has
 * none (API Gateway then answers 403). What the caller may do with which object is the API's own decision.
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
