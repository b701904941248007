import type { V1Node } from '@kubernetes/client-node';
import type { AWSMachine } from '../../../kinds/index.ts';
import type { InstanceFacts } from '../../../plan/infrastructure/instance.ts';
import type { MachineObservation } from '../../../plan/machines/status.ts';
import { mayBeLaunched, readRecordedLaunch } from './launch/recorded.ts';

const PROVIDER_ID = /^aws:\/\/\/.*\/(i-[0-9a-f]+)$/;

/** The facts about an AWSMachine's instance. The recorded launch is only decoded when it is needed. */
export const instanceFacts = (machine: AWSMachine): InstanceFacts => {
  const { spec, status } = machine;
  const { instanceID, providerID } = spec;
  return {
    gone: status?.instanceState === 'terminated',
    running: status?.instanceState === 'running',
    get mayHaveRun() {
      return instanceID !== undefined || mayBeLaunched(readRecordedLaunch(machine));
    },
    get decidedAt() {
      return readRecordedLaunch(machine)?.at;
    },
    failed: status?.conditions?.some(({ reason }) => reason === 'InstanceProvisionFailed') === true,
    // Like CAPA, determined by the spot market options.
    interruptible: status?.interruptible === true || spec.spotMarketOptions !== undefined,
    zone: providerID?.split('/').at(-2) || undefined,
    fixesImage: spec.ami?.id !== undefined,
    name: instanceID,
  };
};

/** An AWSMachine as an observation of its machine. */
export const observed = (infrastructure: AWSMachine): Pick<MachineObservation, 'infrastructure' | 'zone'> => ({
  infrastructure,
  zone: instanceFacts(infrastructure).zone,
});

/** The instance in a node's provider id; undefined for nodes elsewhere. */
export const instanceOfNode = ({ spec }: V1Node): string | undefined => PROVIDER_ID.exec(spec?.providerID ?? '')?.[1];
