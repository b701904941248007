import type * as sdk from '@aws-sdk/client-sts';
import type { Call } from '../wire/call.ts';
import { AwsFault, onlySimulated } from '../wire/fault.ts';
import type { Handlers } from '../wire/handlers.ts';
import type { Place } from '../wire/place.ts';
import { verifyPresigned } from './presigned.ts';
import type { Principal, Principals } from './principals.ts';

const ROLE = /^arn:aws:iam::\d{12}:role\/(?:[\w+=,.@/-]*\/)?([\w+=,.@-]{1,64})$/;
const SESSION = /^[\w+=,.@-]{2,64}$/;

const callerOf = (place: Place, principals: Principals, call: Call): Principal => {
  const principal = principals.find(call.accessKeyId);
  if (!principal)
    throw new AwsFault('InvalidClientTokenId', 'The security token included in the request is invalid.', 403);
  const now = place.clock.now();
  if (principal.expiresAt && principal.expiresAt <= now)
    throw new AwsFault('ExpiredToken', 'The security token included in the request is expired', 403);
  if (call.request.scope.presigned) verifyPresigned(call.request, principal, now);
  return principal;
};

const invalid = (message: string): AwsFault => new AwsFault('ValidationError', message);

const assume = (place: Place, principals: Principals, input: sdk.AssumeRoleRequest) => {
  const known = ['RoleArn', 'RoleSessionName', 'DurationSeconds', 'ExternalId', 'SourceIdentity', 'Tags'];
  onlySimulated('sts:AssumeRole', input, known);
  const { RoleArn = '', RoleSessionName = '', DurationSeconds = 3600 } = input;
  const name = ROLE.exec(RoleArn)?.[1];
  if (!name) throw invalid(`${RoleArn} is invalid`);
  if (!SESSION.test(RoleSessionName)) throw invalid(`the role session name '${RoleSessionName}' is not valid`);
  if (DurationSeconds < 900 || DurationSeconds > 43_200)
    throw invalid('The requested DurationSeconds must be between 900 and 43200');
  const account = RoleArn.split(':')[4];
  const arn = `arn:aws:sts::${account}:assumed-role/${name}/${RoleSessionName}`;
  const expiresAt = new Date(place.clock.now().getTime() + DurationSeconds * 1000);
  const { credentials, userId } = principals.add(arn, { expiresAt });
  return {
    Credentials: {
      AccessKeyId: credentials.accessKeyId,
      SecretAccessKey: credentials.secretAccessKey,
      SessionToken: credentials.sessionToken,
      Expiration: expiresAt,
    },
    AssumedRoleUser: { Arn: arn, AssumedRoleId: userId },
  };
};

/**
 * Who calls, and roles. Any role can be assumed: trust policies are not simulated. Presigned requests are verified, and
 * only credentials that the account has given out are known.
 */
export const stsHandlers = (place: Place, principals: Principals): Handlers<typeof sdk> => ({
  GetCallerIdentity: (_input, call) => {
    const { arn, userId } = callerOf(place, principals, call);
    return { Account: arn.split(':')[4], Arn: arn, UserId: userId };
  },
  AssumeRole: (input) => assume(place, principals, input),
});
