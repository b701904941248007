import { TokenError } from './token.ts';

/** The caller, as STS reports it and as our rules name it. */
export interface Caller {
  /** An assumed role is represented by its role: arn:aws:iam::<account>:role/<name>. STS omits the role's path. */
  arn: string;
  account: string;
  /** The unique id of the principal: for a role, the role's id and the session's name. */
  userId: string;
}

const ARN = /^arn:(aws[a-z-]*):(iam|sts)::(\d{12}):(.+)$/;

/**
 * The principal that policies name: the role of an assumed role, and any other principal unchanged. Throws TokenError
 * for an ARN that is no IAM principal.
 */
export const canonicalArn = (arn: string): string => {
  const [, partition, service, account, resource = ''] = ARN.exec(arn) ?? [];
  const [type, ...names] = resource.split('/');
  if (service === 'sts' && type === 'assumed-role' && names.length >= 2)
    return `arn:${partition}:iam::${account}:role/${names.slice(0, -1).join('/')}`;
  if (service === 'sts' && type === 'federated-user' && names.length === 1) return arn;
  if (service === 'iam' && ['user', 'role'].includes(type ?? '') && names.length >= 1) return arn;
  if (service === 'iam' && resource === 'root') return arn;
  throw new TokenError('STS named a caller that is not an IAM principal');
};

interface StsAnswer {
  GetCallerIdentityResponse?: { GetCallerIdentityResult?: { Account?: string; Arn?: string; UserId?: string } };
}

const parse = (body: string): StsAnswer => {
  try {
    return JSON.parse(body) as StsAnswer;
  } catch {
    throw new TokenError('STS did not answer with JSON');
  }
};

/** Reads the JSON answer of GetCallerIdentity. Throws TokenError if it is anything else. */
export const readCaller = (body: string): Caller => {
  const { Account, Arn, UserId } = parse(body).GetCallerIdentityResponse?.GetCallerIdentityResult ?? {};
  if (!Account || !Arn || !UserId) throw new TokenError('STS did not identify the caller');
  const arn = canonicalArn(Arn);
  if (ARN.exec(arn)?.[3] !== Account) throw new TokenError('STS named a caller of another account than its own');
  return { arn, account: Account, userId: UserId };
};
