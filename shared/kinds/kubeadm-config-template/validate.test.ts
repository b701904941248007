import { describe, expect, it } from 'vitest';
import { admit, example, refusals } from '../test-admission.ts';
import { kubeadmConfigTemplate } from './definition.ts';

describe('KubeadmConfigTemplate admission', () => {
  it('applies the rules of KubeadmConfig beneath spec.template.spec', () => {
    const file = { path: '/a', content: 'x' };
    const object = { ...example(kubeadmConfigTemplate), spec: { template: { spec: { files: [file, file] } } } };
    expect(refusals(kubeadmConfigTemplate, object)).toEqual([
      'spec.template.spec.files[1].path: Invalid value: "/a": path property must be unique among all files',
    ]);
  });

  it('allows changes, because existing machines keep their configuration', () => {
    const old = admit(kubeadmConfigTemplate, example(kubeadmConfigTemplate));
    expect(refusals(kubeadmConfigTemplate, { ...old, spec: { template: { spec: { verbosity: 4 } } } }, old)).toEqual(
      [],
    );
  });

  it('requires valid labels', () => {
    const metadata = { labels: { 'not a label': 'x' } };
    const object = { ...example(kubeadmConfigTemplate), spec: { template: { metadata } } };
    expect(refusals(kubeadmConfigTemplate, object)[0]).toContain('spec.template.metadata.labels: Invalid value');
  });
});
