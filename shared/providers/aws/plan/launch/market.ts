import type { CapacityReservationPreference, RunInstancesCommandInput } from '@aws-sdk/client-ec2';
import type { AWSMachine } from '../../../../kinds/index.ts';

/** Whether EC2 may reclaim the machine's instance at any time. */
export const isSpot = ({ spec }: AWSMachine): boolean =>
  spec.spotMarketOptions !== undefined || spec.marketType === 'Spot';

/**
 * How the instance is bought. A reclaimed spot instance is gone permanently, because a Machine has only one instance.
 */
export const marketOptions = (machine: AWSMachine): Pick<RunInstancesCommandInput, 'InstanceMarketOptions'> => {
  if (machine.spec.marketType === 'CapacityBlock') return { InstanceMarketOptions: { MarketType: 'capacity-block' } };
  if (!isSpot(machine)) return {};
  const price = machine.spec.spotMarketOptions?.maxPrice;
  const options = {
    InstanceInterruptionBehavior: 'terminate',
    SpotInstanceType: 'one-time',
    ...(price ? { MaxPrice: price } : {}),
  } as const;
  return { InstanceMarketOptions: { MarketType: 'spot', SpotOptions: options } };
};

const PREFERENCES: Readonly<Record<string, CapacityReservationPreference>> = {
  None: 'none',
  CapacityReservationsOnly: 'capacity-reservations-only',
  Open: 'open',
};

/** The capacity reservation that the instance uses or may use. */
export const capacityReservation = ({
  spec,
}: AWSMachine): Pick<RunInstancesCommandInput, 'CapacityReservationSpecification'> => {
  const preference = PREFERENCES[spec.capacityReservationPreference ?? ''];
  const id = spec.capacityReservationId;
  if (!id && !preference) return {};
  return {
    CapacityReservationSpecification: {
      ...(id ? { CapacityReservationTarget: { CapacityReservationId: id } } : {}),
      ...(preference ? { CapacityReservationPreference: preference } : {}),
    },
  };
};
