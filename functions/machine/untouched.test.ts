import { expect, it } from 'vitest';
import { testCertificates } from '../../shared/bootstrap/certificates/fixtures.ts';
import { type AWSCluster, type AWSMachine, kinds } from '../../shared/kinds/index.ts';
import { IdentityError } from '../providers/aws/identity/identity-error.ts';
import { makeMachines } from './test-machines.ts';

const certificates = await testCertificates();
const scopeOf = () => Promise.reject(new IdentityError('retrieval', 'there is no AWSClusterRoleIdentity spoke'));

/** A machine of a cluster for which nothing was created yet, except what `change` creates. */
const terminate = async (change: (machine: AWSMachine) => AWSMachine = (machine) => machine) => {
  const { objects, steps, inputOf, context } = await makeMachines({ certificates, scopeOf });
  await objects.mutate(kinds.awsCluster, { namespace: 'default', name: 'red' }, ({ status: _, spec, ...rest }) => {
    const { network: _network, controlPlaneEndpoint: _endpoint, ...asked } = spec;
    return { ...rest, spec: asked } as AWSCluster;
  });
  const key = { namespace: 'default', name: 'w-1' };
  await objects.mutate(kinds.awsMachine, key, change);
  return steps.instance.terminateInstance(await inputOf('w-1'), context);
};

it('removes a machine that was never launched, without using the identity of the cluster', async () => {
  expect(await terminate()).toMatchObject({ progress: 'done' });
});

it.each<[string, (machine: AWSMachine) => AWSMachine]>([
  ['an instance', ({ spec, ...rest }) => ({ ...rest, spec: { ...spec, instanceID: 'i-1' } })],
  [
    'a launch that was decided',
    ({ metadata, ...rest }) => ({ ...rest, metadata: { ...metadata, annotations: { 'windlass.dev/launch': '{}' } } }),
  ],
  [
    'bootstrap data',
    ({ spec, ...rest }) => ({ ...rest, spec: { ...spec, cloudInit: { secretPrefix: 'a', secretCount: 1 } } }),
  ],
])('waits for the identity if the machine has %s', async (_, change) => {
  await expect(terminate(change)).rejects.toThrow('there is no AWSClusterRoleIdentity spoke');
});
