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
  it('applies the rules of a control plane beneath spec.template.spec', () => {
    const lines = refused({
      rollout: { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 2 } } },
      machineNaming: { template: 'a' },
      machineTemplate: {
        spec: { taints: [{ key: 'node.kubernetes.io/x', effect: 'NoExecute', propagation: 'Always' }] },
      },
      kubeadmConfigSpec: {
        files: [file, file],
        clusterConfiguration: { dns: { imageTag: 'a b' } },
        initConfiguration: { timeouts: { controlPlaneComponentHealthCheckSeconds: 60 } },
      },
    });
    expect(lines.map((line) => line.split(': ')[0])).toEqual([
      'spec.template.spec.rollout.strategy.rollingUpdate.maxSurge',
      'spec.template.spec.machineNaming.template',
      'spec.template.spec.machineTemplate.spec.taints[0].key',
      'spec.template.spec.kubeadmConfigSpec.clusterConfiguration.dns.imageTag',
      'spec.template.spec.kubeadmConfigSpec.clusterConfiguration.dns.imageTag',
      'spec.template.spec.kubeadmConfigSpec.files[1].path',
      'spec.template.spec.kubeadmConfigSpec.initConfiguration.timeouts.controlPlaneComponentHealthCheckSeconds',
      'spec.template.spec.kubeadmConfigSpec.joinConfiguration.timeouts.controlPlaneComponentHealthCheckSeconds',
    ]);
  });

  it('refuses fields that only a control plane has, such as the version', () => {
    const object = { ...withSpec({}), spec: { template: { spec: { version: 'v1.34.0', verbosity: 1 } } } };
    expect(() => admit(kubeadmControlPlaneTemplate, object)).toThrow(/unknown field "spec.template.spec.version"/);
  });

  it('is immutable, and a refusal names the changed fields without showing their values', () => {
    const old = admit(kubeadmControlPlaneTemplate, withSpec({ kubeadmConfigSpec: { files: [file] } }));
    expect(refused({ kubeadmConfigSpec: { files: [file] } }, old)).toEqual([]);
    const [line, ...more] = refused({ kubeadmConfigSpec: { files: [{ ...file, content: 'psst' }] } }, old);
    expect(more).toEqual([]);
    expect(line).toMatch(/field is immutable.*Diff: spec\.template\.spec\.kubeadmConfigSpec\.files$/);
  });

  describe('with defaults that earlier releases of Cluster API wrote', () => {
    const nodeRegistration = { imagePullPolicy: 'IfNotPresent' as const };
    const discovery = (apiVersion?: string) => {
      const exec = { command: 'token', ...(apiVersion ? { apiVersion } : {}) };
      return { file: { kubeConfigPath: '/a', kubeConfig: { user: { exec } } } };
    };
    const written = admit(
      kubeadmControlPlaneTemplate,
      withSpec({
        rollout: { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1 } } },
        kubeadmConfigSpec: {
          format: 'cloud-config',
          initConfiguration: { nodeRegistration },
          joinConfiguration: { nodeRegistration, discovery: discovery('client.authentication.k8s.io/v1') },
          files: [file],
        },
      }),
    );
    const own = { files: [file], joinConfiguration: { discovery: discovery() } };

    it('may be changed to one without them', () => {
      expect(refused({ kubeadmConfigSpec: own }, written)).toEqual([]);
    });

    it('may not be changed to one with other values', () => {
      const [line = ''] = refused(
        {
          rollout: { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0 } } },
          kubeadmConfigSpec: { ...own, format: 'ignition' },
        },
        written,
      );
      for (const field of ['rollout.strategy.rollingUpdate.maxSurge', 'kubeadmConfigSpec.format']) {
        expect(line).toContain(`spec.template.spec.${field}`);
      }
    });

    it('may not get the default strategy in an update', () => {
      const old = admit(kubeadmControlPlaneTemplate, withSpec({ kubeadmConfigSpec: own }));
      const { strategy } = written.spec?.template?.spec?.rollout ?? {};
      expect(refused({ ...(strategy ? { rollout: { strategy } } : {}), kubeadmConfigSpec: own }, old)).toHaveLength(1);
    });
  });
});
