import { valueIn } from '../raw.ts';
import { secrets, ssm, sts } from './given.ts';
import type { Question } from './question.ts';

const SECRET = secrets('CreateSecret', {
  Name: '{unique}',
  SecretString: 'x',
  ClientRequestToken: '{unique}-'.padEnd(40, '0'),
});
const BINNED = secrets('DeleteSecret', { SecretId: '{unique}', RecoveryWindowInDays: 7 });

export const SECRET_QUESTIONS: readonly Question[] = [
  {
    name: 'a secret that exists',
    given: [SECRET],
    ask: secrets('CreateSecret', { Name: '{unique}', SecretString: 'y', ClientRequestToken: 'other-'.padEnd(40, '1') }),
  },
  { name: 'a secret, requested twice with one token', given: [SECRET], ask: SECRET },
  { name: 'a secret that does not exist', ask: secrets('GetSecretValue', { SecretId: 'lost' }) },
  {
    name: 'a secret with an invalid name',
    ask: secrets('CreateSecret', { Name: 'a b', SecretString: 'x', ClientRequestToken: '{unique}-'.padEnd(40, '0') }),
  },
  { name: 'delete a secret that does not exist', ask: secrets('DeleteSecret', { SecretId: 'lost' }) },
  {
    name: 'delete a secret that does not exist, without recovery',
    ask: secrets('DeleteSecret', { SecretId: 'lost', ForceDeleteWithoutRecovery: true }),
  },
  {
    name: 'delete a secret with too short a recovery',
    given: [SECRET],
    ask: secrets('DeleteSecret', { SecretId: '{unique}', RecoveryWindowInDays: 3 }),
  },
  {
    name: 'delete a secret both ways at once',
    given: [SECRET],
    ask: secrets('DeleteSecret', { SecretId: '{unique}', RecoveryWindowInDays: 7, ForceDeleteWithoutRecovery: true }),
  },
  {
    name: 'the value of a secret that is deleted',
    given: [SECRET, BINNED],
    ask: secrets('GetSecretValue', { SecretId: '{unique}' }),
  },
  {
    name: 'a secret with the name of a deleted one',
    given: [SECRET, BINNED],
    ask: secrets('CreateSecret', { Name: '{unique}', SecretString: 'y', ClientRequestToken: 'other-'.padEnd(40, '1') }),
  },
  {
    name: 'a secret of the name of one that is gone',
    given: [SECRET, secrets('DeleteSecret', { SecretId: '{unique}', ForceDeleteWithoutRecovery: true })],
    ask: secrets('CreateSecret', { Name: '{unique}', SecretString: 'y', ClientRequestToken: 'other-'.padEnd(40, '1') }),
  },
];

const PARAMETER = ssm('PutParameter', { Name: '/{unique}', Value: 'x', Type: 'String' });

export const OTHER_QUESTIONS: readonly Question[] = [
  { name: 'a parameter that exists', given: [PARAMETER], ask: PARAMETER },
  {
    name: 'a parameter that is written over',
    given: [PARAMETER, ssm('PutParameter', { Name: '/{unique}', Value: 'y', Type: 'String', Overwrite: true })],
    ask: ssm('GetParameter', { Name: '/{unique}' }),
    see: ({ body }) => `${valueIn(body, 'Value')}, version ${/"Version"\s*:\s*(\d+)/.exec(body)?.[1]}`,
  },
  { name: 'a parameter that does not exist', ask: ssm('GetParameter', { Name: '/lost' }) },
  { name: 'delete a parameter that does not exist', ask: ssm('DeleteParameter', { Name: '/lost' }) },
  {
    name: 'delete parameters that do not exist',
    ask: ssm('DeleteParameters', { Names: ['/lost'] }),
    see: ({ body }) => (/"InvalidParameters"\s*:\s*\[\s*"\/lost"/.test(body) ? 'named' : 'not named'),
  },
  { name: 'a parameter without a type', ask: ssm('PutParameter', { Name: '/{unique}', Value: 'x' }) },
  {
    name: 'a parameter with an invalid name',
    ask: ssm('PutParameter', { Name: '/a b', Value: 'x', Type: 'String' }),
  },
  {
    name: 'a parameter that is too long',
    ask: ssm('PutParameter', { Name: '/{unique}', Value: 'x'.repeat(4097), Type: 'String' }),
  },
  { name: 'who one is', ask: sts('GetCallerIdentity') },
  { name: 'an invalid role ARN', ask: sts('AssumeRole', { RoleArn: 'nonsense', RoleSessionName: 'session' }) },
  {
    name: 'a role for a minute',
    ask: sts('AssumeRole', {
      RoleArn: 'arn:aws:iam::000000000000:role/one',
      RoleSessionName: 'session',
      DurationSeconds: 60,
    }),
  },
  {
    name: 'a role with too short a session name',
    ask: sts('AssumeRole', { RoleArn: 'arn:aws:iam::000000000000:role/one', RoleSessionName: 'x' }),
  },
];
