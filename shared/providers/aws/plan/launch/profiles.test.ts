import { describe, expect, it } from 'vitest';
import { PROFILES_ANNOTATION } from '../../../../kinds/rules/aws/wishes.ts';
import { DEFAULT_INSTANCE_PROFILES, permittedProfiles, profileProblem } from './profiles.ts';

const namespace = (profiles: string) => ({ metadata: { name: 'n', annotations: { [PROFILES_ANNOTATION]: profiles } } });

describe('instance profiles', () => {
  it('are those of machines, and not that of the controllers, by default', () => {
    const permitted = permittedProfiles(DEFAULT_INSTANCE_PROFILES, undefined);

    expect(profileProblem('nodes.cluster-api-provider-aws.sigs.k8s.io', permitted)).toBeUndefined();
    expect(profileProblem(undefined, permitted)).toBeUndefined();
    expect(profileProblem('controllers.cluster-api-provider-aws.sigs.k8s.io', permitted)).toMatch(
      /^instance profile controllers\.cluster-api-provider-aws\.sigs\.k8s\.io is not permitted in this namespace, only control-plane\.cluster-api-provider-aws\.sigs\.k8s\.io, nodes/,
    );
  });

  it.each([
    ['a', ['a']],
    [' b , a', ['a', 'b']],
    ['a,another', ['a']],
    ['', []],
  ])('are for a namespace with %j those that the installation also lists', (text, expected) => {
    expect(permittedProfiles(['a', 'b'], namespace(text))).toEqual(expected);
  });
});
