import { describe, expect, it } from 'vitest';
import { readEvent } from './read.ts';

const at = '2026-11-20T12:00:00.000Z';

const event = (detailType: string, detail: object) => ({
  version: '0',
  'detail-type': detailType,
  time: '2026-11-20T12:00:00Z',
  region: 'us-east-1',
  detail,
});

const health = (changes: object = {}) =>
  event('AWS Health Event', {
    eventArn: 'arn:aws:health:us-east-1::event/EC2/1',
    service: 'EC2',
    eventTypeCode: 'AWS_EC2_INSTANCE_RETIREMENT_SCHEDULED',
    eventTypeCategory: 'scheduledChange',
    startTime: 'Tue, 01 Dec 2026 15:00:00 GMT',
    affectedEntities: [{ entityValue: 'i-0a' }, { entityValue: 'vol-0b' }, { entityValue: 'i-0c' }],
    ...changes,
  });

describe('an event', () => {
  it('of a Spot interruption gives the instance two minutes', () => {
    const detail = { 'instance-id': 'i-0a', 'instance-action': 'hibernate' };
    expect(readEvent(event('EC2 Spot Instance Interruption Warning', detail))).toEqual([
      {
        kind: 'notice',
        instanceId: 'i-0a',
        notice: {
          reason: 'SpotInterruption',
          at: '2026-11-20T12:00:00.000Z',
          deadline: '2026-11-20T12:02:00.000Z',
          what: 'hibernate',
        },
      },
    ]);
  });

  it('of AWS Health applies to each instance that it names, with the date', () => {
    const news = readEvent(health());
    expect(news.map(({ instanceId }) => instanceId)).toEqual(['i-0a', 'i-0c']);
    expect(news[0]).toMatchObject({
      notice: {
        reason: 'ScheduledMaintenance',
        deadline: '2026-12-01T15:00:00.000Z',
        what: 'AWS_EC2_INSTANCE_RETIREMENT_SCHEDULED',
        id: 'arn:aws:health:us-east-1::event/EC2/1',
      },
    });
  });

  it('of AWS Health withdraws notices if it is closed, and is ignored if it is not a scheduled change', () => {
    const id = 'arn:aws:health:us-east-1::event/EC2/1';
    expect(readEvent(health({ statusCode: 'closed' }))).toEqual([
      { kind: 'withdrawal', instanceId: 'i-0a', id, at },
      { kind: 'withdrawal', instanceId: 'i-0c', id, at },
    ]);
    expect(readEvent(health({ eventTypeCategory: 'issue' }))).toEqual([]);
  });

  it('of AWS Health withdraws the notice for a resolved instance, and keeps the others', () => {
    const affectedEntities = [
      { entityValue: 'i-0a', status: 'RESOLVED', lastUpdatedTime: 'Sat, 21 Nov 2026 12:00:00 GMT' },
      { entityValue: 'i-0c', status: 'PENDING' },
    ];
    expect(readEvent(health({ affectedEntities }))).toEqual([
      { kind: 'withdrawal', instanceId: 'i-0a', id: 'arn:aws:health:us-east-1::event/EC2/1', at },
      expect.objectContaining({ kind: 'notice', instanceId: 'i-0c' }),
    ]);
  });

  it('is refused with the name of a field that is missing or invalid', () => {
    expect(() => readEvent(event('EC2 Spot Instance Interruption Warning', {}))).toThrow('instance-id');
    expect(() => readEvent(health({ startTime: 'soon' }))).toThrow('not a time: soon');
  });
});
