import { expect, it } from 'vitest';
import { testCertificates } from '../../shared/bootstrap/certificates/fixtures.ts';
import { makeMachines } from './test-machines.ts';

const certificates = await testCertificates();

it("launches and terminates the machines of a cluster in the cluster's region, not the stack's", async () => {
  const world = await makeMachines({ certificates, region: 'eu-central-1' });
  const { provision, steps, inputOf, context, launched, regions } = world;
  await provision('w-1');
  expect(launched).toHaveLength(1);
  await steps.instance.observeInstance(await inputOf('w-1'), context);
  await steps.instance.terminateInstance(await inputOf('w-1'), context);
  expect(regions).toEqual(['eu-central-1', 'eu-central-1', 'eu-central-1']);
});
