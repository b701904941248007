import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { choosable, chooseImage } from './image.ts';

const time = (day: number): string => new Date(Date.UTC(2026, 0, day)).toISOString();
const day = fc.integer({ min: 1, max: 20 });
const image = (CreationDate: number, deprecated?: number) => ({
  CreationDate: time(CreationDate),
  ...(deprecated === undefined ? {} : { DeprecationTime: time(deprecated) }),
});

it('choosable keeps every image that may be chosen at some time', () => {
  const images = fc.uniqueArray(fc.tuple(day, fc.option(day, { nil: undefined })), {
    selector: ([created]) => created,
  });
  fc.assert(
    fc.property(images, day, (all, today) => {
      const found = all.map(([created, deprecated]) => image(created, deprecated));
      const now = new Date(time(today));
      expect(chooseImage(choosable(found), now)).toEqual(chooseImage(found, now));
    }),
  );
});

it('choosable keeps only one of the images that are never deprecated', () => {
  expect(choosable([image(1), image(3), image(2)])).toEqual([image(3)]);
  expect(choosable([image(1), image(2, 9), image(3, 8)])).toEqual([image(3, 8), image(2, 9), image(1)]);
});
