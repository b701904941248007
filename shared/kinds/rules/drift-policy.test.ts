import { describe, expect, it } from 'vitest';
import { DRIFT_KINDS, DRIFT_POLICIES, driftPoliciesOf, ON_DRIFT, validateDriftPolicies } from './drift-policy.ts';

const cluster = (value?: string) => ({
  metadata: { name: 'demo', ...(value === undefined ? {} : { annotations: { [ON_DRIFT]: value } }) },
});

describe('the policies of a cluster', () => {
  it('are the defaults of the table if there is no annotation', () => {
    const policies = driftPoliciesOf(cluster());
    for (const kind of DRIFT_KINDS) expect(policies[kind], kind).toBe(DRIFT_POLICIES[kind][0]);
  });

  it('apply a general policy to all kinds that support it, unless a kind has its own policy', () => {
    const { InstanceTags, Route, InstanceStopped } = driftPoliciesOf(cluster('Report, InstanceTags=Adopt'));
    expect([InstanceTags, Route, InstanceStopped]).toEqual(['Adopt', 'Report', 'Report']);
    expect(driftPoliciesOf(cluster('Adopt')).Route).toBe('Repair');
  });
});

describe('validation', () => {
  it.each([['Report'], ['InstanceStopped=Repair'], ['Report,InstanceStopped=Repair , Route=Repair,'], ['']])(
    'accepts %j',
    (value) => {
      expect(validateDriftPolicies(cluster(value))).toEqual([]);
    },
  );

  it.each([
    ['report', 'must be one of Repair, Report, Adopt'],
    ['Rules=Report', 'names no kind of drift; these are InstanceStopped,'],
    [
      'Route=Adopt',
      'drift of the kind Route cannot be adopted; only InstanceTags, InstanceSecurityGroups, SecurityGroupRules',
    ],
    ['Route=Keep', 'the policy of Route must be one of Repair, Report'],
    ['Route=Report=Repair', 'must be a policy, or a kind of drift = its policy'],
    ['Report,Repair', 'repeats an earlier entry'],
    ['Route=Report,Route=Repair', 'repeats an earlier entry'],
  ])('refuses %j', (value, detail) => {
    const [error] = validateDriftPolicies(cluster(value));
    expect(error).toMatchObject({ field: `metadata.annotations[${ON_DRIFT}]` });
    expect(JSON.stringify(error)).toContain(detail);
  });
});
