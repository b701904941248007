import { describe, expect, it } from 'vitest';
import { ignitionStub } from '../../providers/aws/plan/delivery/ignition.ts';
import { planDelivery } from '../../providers/aws/plan/delivery/plan.ts';
import { renderBootstrapData } from '../bootstrap-data.ts';
import { readableIgnition } from './readable.ts';
import { inputOf, ROLES, SPECS } from './shapes.ts';

/**
 * The user data of a machine, in one file for each shape, for review. After an intended change, regenerate the files
 * with `npx vitest run shared/bootstrap/golden -u` and commit them with the change.
 */
const golden = (name: string): string => `./files/${name}`;
const decode = (userData: string): string => Buffer.from(userData, 'base64').toString('utf8');

describe('the data for a machine', () => {
  it.each(ROLES)('matches the golden file for %s with cloud-init', async (role) => {
    const { body } = renderBootstrapData(inputOf(role, SPECS['cloud-init']));

    await expect(body).toMatchFileSnapshot(golden(`${role}.cloud-init.yaml`));
  });

  const byIgnition = ROLES.flatMap((role) => (['2.3', '3.4'] as const).map((version) => ({ role, version })));
  it.each(byIgnition)('matches the golden file for $role with Ignition $version', async ({ role, version }) => {
    const { body } = renderBootstrapData(inputOf(role, SPECS.ignition), { ignitionVersion: version });

    await expect(readableIgnition(body)).toMatchFileSnapshot(golden(`${role}.ignition-${version}.txt`));
  });

  it.each(['secrets-manager', 'ssm-parameter-store'] as const)(
    'matches the golden user data that fetch it from %s',
    async (mode) => {
      const { body } = renderBootstrapData(inputOf('worker', SPECS['cloud-init']));
      const secretPrefix = 'aws.cluster.x-k8s.io/00000000-0000-0000-0000-000000000000';
      const { userData } = planDelivery({ body, mode, secretPrefix, region: 'us-east-1' });

      await expect(decode(userData)).toMatchFileSnapshot(golden(`user-data.${mode}.txt`));
    },
  );

  it.each(['2.3', '3.4'] as const)(
    'matches the golden user data that name the object for Ignition %s',
    async (version) => {
      const userData = decode(ignitionStub('s3://demo-bootstrap/node/demo-md-0-abcde', { ignition: { version } }));
      const text = JSON.stringify(JSON.parse(userData), null, 2);

      await expect(`${text}\n`).toMatchFileSnapshot(golden(`user-data.ignition-${version}.json`));
    },
  );
});
