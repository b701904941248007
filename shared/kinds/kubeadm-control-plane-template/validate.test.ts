import { describe, expect, it } from 'vitest';
import { admit, refusals } from '../test-admission.ts';
import { kubeadmControlPlaneTemplate } from './definition.ts';
import type { KubeadmControlPlaneTemplate, KubeadmControlPlaneTemplateResourceSpec } from './schema.ts';

const withSpec = (spec: KubeadmControlPlaneTemplateResourceSpec): KubeadmControlPlaneTemplate => ({
  apiVersion: 'controlplane.cluster.x-k8s.io/v1beta2',
  kind: 'KubeadmControlPlaneTemplate',
  metadata: { name: 'class' },
  spec: { template: { spec } },
});

const refused = (spec: KubeadmControlPlaneTemplateResourceSpec, old?: KubeadmControlPlaneTemplate): string[] =>
  refusals(kubeadmControlPlaneTemplate, withSpec(spec), old);

const file = { path: '/a', content: 'hush' };

describe('KubeadmControlPlaneTemplate', () => {
  it('has the rules of a control plane, beneath spec.template.spec', () => {
    const lines = refused({
      rollout: { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 2 } } },
      machineNaming: { template: 'a' },
      machineTemplate: {
        spec: { taints: [{ key: 'node.kubernetes.io/x', effect: 'NoExecute', propagation: 'Always' }] },
      },
      kubeadmConfigSpec: { files: [file, file], clusterConfiguration: { dns: { imageTag: 'a b' } } },
    });
    expect(lines.map((line) => line.split(': ')[0])).toEqual([
      'spec.template.spec.rollout.strategy.rollingUpdate.maxSurge',
      'spec.template.spec.machineNaming.template',
      'spec.template.spec.machineTemplate.spec.taints[0].key',
      'spec.template.spec.kubeadmConfigSpec.clusterConfiguration.dns.imageTag',
      'spec.template.spec.kubeadmConfigSpec.clusterConfiguration.dns.imageTag',
      'spec.template.spec.kubeadmConfigSpec.files[1].path',
    ]);
  });

  it('has no version, replicas or infrastructure of its own', () => {
    const object = { ...withSpec({}), spec: { template: { spec: { version: 'v1.34.0', verbosity: 1 } } } };
    expect(() => admit(kubeadmControlPlaneTemplate, object)).toThrow(/unknown field "spec.template.spec.version"/);
  });

  it('is immutable, and says what differs without showing it', () => {
    const old = admit(kubeadmControlPlaneTemplate, withSpec({ kubeadmConfigSpec: { files: [file] } }));
    expect(refused({ kubeadmConfigSpec: { files: [file] } }, old)).toEqual([]);
    const [line, ...more] = refused({ kubeadmConfigSpec: { files: [{ ...file, content: 'psst' }] } }, old);
    expect(more).toEqual([]);
    expect(line).toMatch(/field is immutable.*Diff: spec\.template\.spec\.kubeadmConfigSpec\.files$/);
  });
});
