import { expect, it } from 'vitest';
import { SealError } from '../../shared/errors.ts';
import type { Cluster } from '../../shared/kinds/index.ts';
import { WorkloadUnreachableError } from '../../shared/workload/client.ts';
import { requireWorkloadTarget } from './kubeconfig-secret.ts';

const cluster = { metadata: { namespace: 'default', name: 'red' }, spec: {} } as Cluster;

const reading = (get: () => Promise<undefined>) => requireWorkloadTarget({ get }, cluster);

it('makes a deletion wait, with the reason in a condition, while the kubeconfig cannot be opened', async () => {
  const why = 'the data of Secret default/red-kubeconfig cannot be opened: Disabled: arn:aws:kms:key/1 is disabled.';
  const read = reading(() => Promise.reject(new SealError(why)));
  await expect(read).rejects.toBeInstanceOf(WorkloadUnreachableError);
  await expect(read).rejects.toThrow(why);
});

it('treats an absent kubeconfig in the same way', async () => {
  await expect(reading(async () => undefined)).rejects.toThrow('the kubeconfig Secret does not exist');
});

it('passes on all other errors', async () => {
  const error = new Error('no answer from the table');
  await expect(reading(() => Promise.reject(error))).rejects.toBe(error);
});
