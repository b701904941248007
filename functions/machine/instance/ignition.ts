import { ignitionUserData } from '../../../shared/bootstrap/delivery/ignition.ts';
import type { Delivery } from '../../../shared/bootstrap/delivery/plan.ts';
import { BootstrapInvalidError } from '../../../shared/bootstrap/invalid.ts';
import type { AWSMachine } from '../../../shared/kinds/index.ts';

/** How bootstrap data in the format of Ignition reach the machine. */
export const planIgnition = (body: string, { spec }: AWSMachine): Delivery => {
  if (spec.ignition?.storageType === 'UnencryptedUserData') {
    return { userData: ignitionUserData(body, spec), secrets: [] };
  }
  throw new BootstrapInvalidError(
    'spec.ignition.storageType',
    'ClusterObjectStore is not supported yet; use UnencryptedUserData',
  );
};
