import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { createAccount } from './account.ts';
import { autoScalingHandlers } from './engines/autoscaling/handlers.ts';
import { ec2Handlers } from './engines/ec2/handlers.ts';
import { classicElbHandlers } from './engines/elb/handlers.ts';
import { makePaperDataPath } from './engines/elbv2/data-path.ts';
import { createDataPlane } from './engines/elbv2/data-plane.ts';
import { elbHandlers } from './engines/elbv2/handlers.ts';
import { FIS_OPERATIONS } from './engines/fis/forward.ts';
import { iamHandlers } from './engines/iam/handlers.ts';
import { kmsHandlers } from './engines/kms/handlers.ts';
import { secretsManagerHandlers } from './engines/secrets-manager/handlers.ts';
import { serviceQuotasHandlers } from './engines/service-quotas/handlers.ts';
import { ssmHandlers } from './engines/ssm/handlers.ts';
import { stsHandlers } from './engines/sts/handlers.ts';
import { makeHandClock, makeSeededRandom } from './test-aws.ts';

const account = createAccount({ clock: makeHandClock(), random: makeSeededRandom('support') });
const dataPath = makePaperDataPath(createDataPlane());
const services: Record<string, object> = {
  'Auto Scaling': autoScalingHandlers(account.autoscaling()),
  EC2: ec2Handlers(account.ec2()),
  'Elastic Load Balancing': classicElbHandlers(account.elb(), dataPath),
  'Elastic Load Balancing v2': elbHandlers(account.elbv2(), dataPath),
  'Fault Injection Service': Object.fromEntries(FIS_OPERATIONS.map((name) => [name, true])),
  IAM: iamHandlers(account, account.settings),
  KMS: kmsHandlers(account.kms()),
  'Secrets Manager': secretsManagerHandlers(account.secrets()),
  'Service Quotas': serviceQuotasHandlers(account.settings),
  SSM: ssmHandlers(account.ssm()),
  STS: stsHandlers(account, account.principals, account),
};

it.each(Object.keys(services))('SUPPORT.md lists exactly the actions of %s', async (service) => {
  const text = await readFile(new URL('SUPPORT.md', import.meta.url), 'utf8');
  const row = text.split('\n').find((line) => line.startsWith(`| ${service} | `)) ?? '';
  const listed = row.split(' | ')[1]?.replace(' |', '').split(', ');

  expect(listed).toEqual(Object.keys(services[service] ?? {}).sort());
});
