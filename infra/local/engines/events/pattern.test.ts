import { describe, expect, it } from 'vitest';
import { checkPattern, matches } from './pattern.ts';

const event = {
  source: 'aws.ec2',
  'detail-type': 'EC2 Instance State-change Notification',
  resources: ['arn:a', 'arn:b'],
  detail: {
    'instance-id': 'i-1',
    state: 'stopped',
    affectedEntities: [{ entityValue: 'i-1' }, { entityValue: 'i-2' }],
  },
};

describe('an event pattern', () => {
  it.each<{ pattern: object; fits: boolean; because: string }>([
    { pattern: { source: ['aws.ec2'] }, fits: true, because: 'its only field is equal' },
    { pattern: { source: ['aws.health', 'aws.ec2'] }, fits: true, because: 'one of its values is enough' },
    { pattern: { source: ['aws.ec2'], account: ['1'] }, fits: false, because: 'the event lacks one of its fields' },
    { pattern: { detail: { state: ['running'] } }, fits: false, because: 'a nested field differs' },
    { pattern: { resources: ['arn:b'] }, fits: true, because: 'one of the values of the event is enough' },
    {
      pattern: { detail: { affectedEntities: { entityValue: ['i-2'] } } },
      fits: true,
      because: 'one of the objects of the event is enough',
    },
    { pattern: { detail: { state: { name: ['x'] } } }, fits: false, because: 'a string has no fields' },
    {
      pattern: { detail: { errorCode: [{ exists: false }] } },
      fits: true,
      because: 'a field that must not exist does not exist',
    },
    { pattern: { detail: { state: [{ exists: false }] } }, fits: false, because: 'a field that must not exist exists' },
    {
      pattern: { detail: { by: { role: [{ exists: false }] } } },
      fits: true,
      because: 'the parent of a field that must not exist does not exist, either',
    },
    {
      pattern: { detail: { state: [{ 'anything-but': { prefix: 'run' } }] } },
      fits: true,
      because: 'the value does not have the excluded prefix',
    },
    {
      pattern: { detail: { state: [{ 'anything-but': { prefix: 'st' } }] } },
      fits: false,
      because: 'the value has the excluded prefix',
    },
    { pattern: { detail: { by: [{ 'anything-but': { prefix: 'st' } }] } }, fits: false, because: 'there is no value' },
  ])('matches: $fits, because $because', ({ pattern, fits }) => {
    checkPattern(pattern);
    expect(matches(pattern, event)).toBe(fits);
  });

  it.each([
    [{ detail: { state: [{ prefix: 'st' }] } }, 'the laptop does not know "prefix" in the event pattern.detail.state'],
    [{ source: [{ 'anything-but': ['a'] }] }, 'the laptop does not know "anything-but"'],
    [{ $or: [{ source: ['a'] }] }, 'the laptop does not know "$or"'],
    [{ source: 'aws.ec2' }, 'the event pattern.source must be a list of values'],
    [{ source: [] }, 'the event pattern.source has an empty list'],
  ])('is refused, with the name of the problem, if the laptop cannot evaluate it: %j', (pattern, message) => {
    expect(() => checkPattern(pattern)).toThrow(message);
  });
});
