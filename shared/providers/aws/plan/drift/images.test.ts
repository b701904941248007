import { describe, expect, it } from 'vitest';
import { type ImageStanding, imageRisk, imagesClaim, newestSeries, newRisks, publishedBeside } from './images.ts';

const NOW = new Date('2026-11-20T12:00:00Z');
const image = (change: Partial<ImageStanding> = {}): ImageStanding => ({
  name: 'capa-ami-ubuntu-24.04-v1.34.2-1700000000',
  ownerId: '819546954734',
  state: 'available',
  ...change,
});
const NEWEST = newestSeries(['capa-ami-ubuntu-24.04-v1.36.0-1', 'capa-ami-ubuntu-24.04-v1.9.0-1', 'anything']);

describe('the risk of an image', () => {
  it.each<{ reason: string; standing: ImageStanding | undefined; wanted: RegExp | undefined }>([
    { reason: 'none', standing: image(), wanted: undefined },
    { reason: 'that it no longer exists', standing: undefined, wanted: /^image ami-1 is deleted or no longer shared/ },
    { reason: 'that it is disabled', standing: image({ state: 'disabled' }), wanted: /is disabled: no machine/ },
    {
      reason: 'that it is deprecated, whatever its series is',
      standing: image({ deprecatedAt: '2026-11-20T12:00:00Z', name: 'capa-ami-ubuntu-24.04-v1.30.0-1' }),
      wanted: /has been deprecated since 2026-11-20/,
    },
    {
      reason: 'that it will be deprecated within 30 days',
      standing: image({ deprecatedAt: '2026-12-20T12:00:00Z' }),
      wanted: /will be deprecated on 2026-12-20$/,
    },
    {
      reason: 'none more than 30 days before the deprecation',
      standing: image({ deprecatedAt: '2026-12-20T12:00:01Z' }),
      wanted: undefined,
    },
    {
      reason: 'a series older than the three newest',
      standing: image({ name: 'capa-ami-ubuntu-24.04-v1.33.9-1' }),
      wanted: /\(capa-ami-ubuntu-24\.04-v1\.33\.9-1\) is for Kubernetes 1\.33, .*of which 1\.36 is the last$/,
    },
    {
      reason: 'none for an old series of another publisher',
      standing: image({ ownerId: '111111111111', name: 'capa-ami-ubuntu-24.04-v1.20.0-1' }),
      wanted: undefined,
    },
    {
      reason: 'none while it is not known which other series are published for the system',
      standing: image({ name: 'capa-ami-flatcar-stable-v1.20.0-1' }),
      wanted: undefined,
    },
  ])('is $reason', ({ standing, wanted }) => {
    const standings = new Map(standing ? [['ami-1', standing]] : []);
    const risk = imageRisk('ami-1', { standings, newest: NEWEST }, NOW);
    if (wanted) expect(risk).toMatch(wanted);
    else expect(risk).toBeUndefined();
  });
});

it('the images published for the systems of images in use are requested, once each', () => {
  const own = image({ ownerId: '111111111111', name: 'capa-ami-centos-9-v1.34.0-1' });
  const flatcar = image({ name: 'capa-ami-flatcar-stable-v1.34.0-1' });
  expect(publishedBeside([image(), image(), own, flatcar])).toEqual([
    'capa-ami-flatcar-stable-?1.*',
    'capa-ami-ubuntu-24.04-?1.*',
  ]);
});

it('each risk is reported once, up to a readable number', () => {
  const risks = Array.from({ length: 12 }, (_, index) => `image ami-${index} is deleted`);
  const { message = '' } = imagesClaim(risks);

  expect(message.split('\n')).toHaveLength(11);
  expect(message).toMatch(/\nand 2 more$/);
  expect(newRisks(risks, '')).toHaveLength(10);
  expect(newRisks(risks, message)).toEqual([]);
  expect(newRisks(['image ami-x is deleted', ...risks], message)).toEqual(['image ami-x is deleted']);
  expect(imagesClaim([])).toMatchObject({ status: 'False' });
});
