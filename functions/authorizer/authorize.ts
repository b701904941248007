import type { Log } from '../../shared/log.ts';
import type { Caller } from './caller.ts';
import { type AuthorizerAnswer, answerFor } from './policy.ts';
import type { GroupsOf } from './principals.ts';
import { TokenError } from './token.ts';

/** The event of a TOKEN authorizer. */
export interface AuthorizerEvent {
  authorizationToken: string;
  methodArn: string;
}

/** The only message that API Gateway turns into 401. */
const UNAUTHORIZED = 'Unauthorized';

const BEARER = /^bearer (\S+)$/i;

/** The longest path that a line of the log shows. */
const LONGEST = 256;

/** The method and path of the requested resource, `arn:…:<api>/<stage>/<method>/<path>`, which has no query. */
const askedFor = (methodArn: string): { method?: string; path?: string } => {
  const [, , method, ...path] = methodArn.split('/');
  return { method, path: `/${path.join('/')}`.slice(0, LONGEST) };
};

/**
 * Answers API Gateway: 401 for a refused token (kubectl then gets a new one), 403 for a caller from an account that is
 * not trusted, and 503 if STS cannot be reached. The log has the reason, without the token, in a line that counts as an
 * audit record: the API never sees these requests.
 */
export const makeAuthorize = (options: {
  verify: (token: string) => Promise<Caller>;
  groupsOf: GroupsOf;
  log: Log;
}) => {
  const { verify, groupsOf, log } = options;
  return async ({ authorizationToken, methodArn }: AuthorizerEvent): Promise<AuthorizerAnswer> => {
    const refusal = (code: number) => ({ audit: true, code, ...askedFor(methodArn) });
    const [, token] = BEARER.exec(authorizationToken) ?? [];
    try {
      if (token === undefined) throw new TokenError('there is no bearer token');
      const caller = await verify(token);
      const groups = groupsOf(caller);
      if (groups === undefined) {
        log.warn('a caller is of no trusted account', { ...refusal(403), principal: caller.arn });
      }
      return answerFor(caller, groups, methodArn);
    } catch (error) {
      if (!(error instanceof TokenError)) throw error;
      log.warn('a token was refused', { ...refusal(401), reason: error.message });
      throw new Error(UNAUTHORIZED);
    }
  };
};
