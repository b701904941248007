import { expect, it } from 'vitest';
import type { AnyObject } from '../objects.ts';
import { patchableForObject, patchableForTemplate } from './merge-back.ts';

const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

const template = (annotations?: Record<string, string>): AnyObject =>
  ({
    ...{ apiVersion: 'v1', kind: 'Template' },
    metadata: { name: 'class-template', managedFields: [{}], ...(annotations ? { annotations } : {}) },
    spec: { template: { spec: { size: 1 } } },
  }) as unknown as AnyObject;

const object = (): AnyObject =>
  ({ metadata: { name: 'made', labels: { a: '1' }, annotations: { b: '2' } } }) as unknown as AnyObject;

it('patches see a template without managers and without the last applied configuration', () => {
  const { metadata } = patchableForObject(template({ [LAST_APPLIED]: '{}', kept: 'x' }), object());
  expect(metadata).toEqual({ name: 'class-template', annotations: { kept: 'x' } });
  expect(patchableForObject(template({ [LAST_APPLIED]: '{}' }), object()).metadata).toEqual({ name: 'class-template' });
});

it('patches for an object see its labels and annotations inside the template', () => {
  expect(patchableForObject(template(), object()).spec).toEqual({
    template: { spec: { size: 1 }, metadata: { labels: { a: '1' }, annotations: { b: '2' } } },
  });
});

it('patches for a copy of a template see its labels and annotations', () => {
  const seen = patchableForTemplate(template({ [LAST_APPLIED]: '{}', kept: 'x' }), object());
  expect(seen.metadata).toEqual({ name: 'class-template', labels: { a: '1' }, annotations: { b: '2' } });
  expect(seen.spec).toEqual({ template: { spec: { size: 1 } } });
});
