import type { Leaving, TakeDown } from '../driver.ts';

export const takeDownBastions = ({ observed: { bastions = [] } }: Leaving): TakeDown => ({
  actions: bastions
    .filter(({ state }) => state !== 'shutting-down')
    .map(({ id }) => ({ type: 'TerminateBastion', instanceId: id })),
  blockers: bastions.map(({ id }) => `bastion ${id}, which is going`),
});
