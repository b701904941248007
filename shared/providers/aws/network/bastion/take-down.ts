import type { TakeDownPlan, TakeDownSituation } from '../driver.ts';

export const takeDownBastions = ({ observed: { bastions = [] } }: TakeDownSituation): TakeDownPlan => ({
  actions: bastions
    .filter(({ state }) => state !== 'shutting-down')
    .map(({ id }) => ({ type: 'TerminateBastion', instanceId: id })),
  blockers: bastions.map(({ id }) => `bastion ${id}, which is being terminated`),
});
