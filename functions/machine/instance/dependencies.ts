import type { BootstrapObjects } from '../../../shared/aws/bootstrap-objects.ts';
import type { BootstrapSecrets } from '../../../shared/aws/bootstrap-secrets.ts';
import type { Ec2Instances } from '../../../shared/aws/ec2-instances.ts';
import type { Clock } from '../../../shared/clock.ts';
import type { ObjectClient } from '../../../shared/kube-api/client.ts';
import type { Touch } from '../../../shared/store/executions.ts';
import type { WorkStore } from '../../../shared/store/work.ts';

/** What the instance steps of a machine work with. */
export interface InstanceDependencies {
  objects: ObjectClient;
  work: WorkStore;
  touch: Touch;
  ec2: Ec2Instances;
  bootstrapSecrets: BootstrapSecrets;
  bootstrapObjects: BootstrapObjects;
  clock: Clock;
}
