import { Buffer } from 'node:buffer';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SSMClient } from '@aws-sdk/client-ssm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAccount } from '../../../infra/local/account.ts';
import { type SimulatedAws, startAws } from '../../../infra/local/aws.ts';
import { createDataPlane } from '../../../infra/local/engines/elbv2/data-plane.ts';
import { systemClock } from '../../../shared/clock.ts';
import { type BootstrapSecrets, createBootstrapSecrets } from '../../../shared/providers/aws/api/bootstrap-secrets.ts';
import { CONFIGURATION_PATH } from '../../../shared/providers/aws/plan/delivery/boothook.ts';
import { type DeliveryMode, planDelivery } from '../../../shared/providers/aws/plan/delivery/plan.ts';
import { systemRandom } from '../../../shared/random.ts';
import { LIMIT } from '../../../shared/test-patience.ts';
import { makeMachine } from './machine.ts';

/**
 * Tests the boothook with the real AWS CLI, which finds the account through AWS_ENDPOINT_URL. The CLI must be on the
 * PATH, which `npm run conformance` sets.
 */
const REGION = 'us-east-1';
/** Too many bytes for one secret or parameter, even when compressed. */
const NOISE_BYTES = { 'secrets-manager': 70_000, 'ssm-parameter-store': 12_000, plain: 0 } as const;

const bodyFor = (mode: DeliveryMode): string => {
  const noise = Buffer.from(systemRandom.bytes(NOISE_BYTES[mode]));
  return `## template: jinja\n#cloud-config\n# ${noise.toString('base64')}\n`;
};

const skips = !process.env.WINDLASS_KUBEADM && process.env.CI !== 'true';

describe.skipIf(skips)('the boothook and the AWS CLI', { timeout: LIMIT }, () => {
  const account = createAccount({ clock: systemClock, random: systemRandom });
  let aws: SimulatedAws;
  let store: BootstrapSecrets;
  let environment: Record<string, string>;

  beforeAll(async () => {
    aws = await startAws({ account, dataPlane: createDataPlane() });
    const { accessKeyId, secretAccessKey } = account.credentials;
    const options = { region: REGION, endpoint: aws.url, credentials: account.credentials };
    store = createBootstrapSecrets({
      secretsManager: new SecretsManagerClient(options),
      ssm: new SSMClient(options),
    });
    environment = {
      AWS_ENDPOINT_URL: aws.url,
      AWS_ACCESS_KEY_ID: accessKeyId,
      AWS_SECRET_ACCESS_KEY: secretAccessKey,
      HOME: process.env.HOME ?? '',
    };
  });
  afterAll(() => aws.close());

  it.each<DeliveryMode>(['secrets-manager', 'ssm-parameter-store'])(
    'fetch the bootstrap data from %s, and leave nothing there',
    async (mode) => {
      const body = bodyFor(mode);
      const plan = planDelivery({ body, mode, secretPrefix: 'aws.cluster.x-k8s.io/m', region: REGION });
      const owner = { cluster: { namespace: 'default', name: 'red' }, machine: 'm', machineUid: 'uid-1' };
      const [, script = ''] =
        /(#cloud-boothook\n[\s\S]*?)\n--==/.exec(Buffer.from(plan.userData, 'base64').toString()) ?? [];
      for (const { name, data } of plan.secrets)
        await store.create({ name, data, tags: {}, owner, token: systemRandom.uuid() });
      const machine = makeMachine({ 'cloud-init': 'echo "/usr/bin/cloud-init 24.4"', systemctl: '' });

      const { code, output } = await machine.start(script, environment);

      expect(output).toBe('');
      expect(code).toBe(0);
      expect(plan.secrets.length).toBeGreaterThan(1);
      expect(machine.read(CONFIGURATION_PATH)).toBe(body);
      expect(machine.mode(CONFIGURATION_PATH)).toBe(0o600);
      const again = makeMachine({ 'cloud-init': 'echo "/usr/bin/cloud-init 24.4"', systemctl: '' });
      const second = await again.start(script.replace('-lt 1200', '-lt 0'), environment);
      expect(second.code).toBe(1);
      expect(second.output).toMatch(/ResourceNotFoundException|ParameterNotFound/);
      machine.dispose();
      again.dispose();
    },
  );
});
