import { describe, expect, it } from 'vitest';
import { admit, refusals } from '../test-admission.ts';
import { clusterClass } from './definition.ts';
import type { ClusterClassSpec } from './schema.ts';
import { base, classWith, worker } from './test-class.ts';

const refused = (spec: Partial<ClusterClassSpec>): string[] => refusals(clusterClass, classWith(spec));
const WORKER = 'spec.workers.machineDeployments[default-worker]';

const withWorker = (fields: object): Partial<ClusterClassSpec> => ({
  workers: { machineDeployments: [{ ...worker, ...fields }] },
});

describe('ClusterClass', () => {
  it('is stored unchanged, with a status derived from it', () => {
    const { spec, status } = admit(clusterClass, classWith({}));
    expect(spec).toEqual(base);
    expect(status).toMatchObject({
      observedGeneration: 1,
      conditions: [
        { type: 'RefVersionsUpToDate', status: 'True', reason: 'RefVersionsUpToDate' },
        { type: 'VariablesReady', status: 'True', reason: 'VariablesReady' },
        { type: 'Paused', status: 'False', reason: 'NotPaused' },
      ],
    });
  });

  it('refuses a reference to an object that is not a template', () => {
    const templateRef = { ...worker.infrastructure.templateRef, kind: 'AWSMachine' };
    expect(refused(withWorker({ infrastructure: { templateRef } }))).toEqual([
      `${WORKER}.infrastructure.templateRef.ref.kind: Invalid value: "AWSMachine": template kind must be of form "<name>Template"`,
    ]);
  });

  it('refuses a duplicate class of workers', () => {
    expect(refused({ workers: { machineDeployments: [worker, worker] } })[0]).toMatch(
      /^spec.workers.machineDeployments\[1\]: Duplicate value/,
    );
  });

  it.each([
    {
      fields: { rollout: { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 'many' } } } },
      at: 'rollout.strategy.rollingUpdate.maxSurge',
    },
    {
      fields: { healthCheck: { checks: { nodeStartupTimeoutSeconds: 5 } } },
      at: 'healthCheck.checks.nodeStartupTimeoutSeconds',
    },
    { fields: { healthCheck: { remediation: { maxInFlight: 'few' } } }, at: 'healthCheck.remediation.maxInFlight' },
    { fields: { naming: { template: '{{ .machineSet.name }}' } }, at: 'naming.template' },
    { fields: { naming: { template: 'Not_A_Name' } }, at: 'naming.template' },
    { fields: { metadata: { labels: { 'not a label': '' } } }, at: 'template.metadata.labels' },
    {
      fields: { taints: [{ key: 'node.kubernetes.io/a', effect: 'NoExecute', propagation: 'Always' }] },
      at: 'taints[0].key',
    },
  ])('refuses workers with $fields', ({ fields, at }) => {
    expect(refused(withWorker(fields))).toEqual([expect.stringContaining(`${WORKER}.${at}: Invalid value`)]);
  });

  it('accepts worker names derived from the topology', () => {
    expect(
      refused(
        withWorker({ naming: { template: '{{ .cluster.name }}-{{ .machineDeployment.topologyName }}-{{ .random }}' } }),
      ),
    ).toEqual([]);
  });

  it('allows a health check of control plane machines only if it has a template for them', () => {
    const { machineInfrastructure: _, ...controlPlane } = base.controlPlane;
    const healthCheck = { checks: { nodeStartupTimeoutSeconds: 60 } };
    expect(refused({ controlPlane: { ...controlPlane, healthCheck } })).toEqual([
      'spec.controlPlane.healthCheck: Forbidden: can be only set if spec.controlPlane.machineInfrastructure is set',
    ]);
  });

  it.each([
    { versions: ['v1.33.0', 'v1.34.0', 'v1.34.1'], lines: [] },
    { versions: ['v1.34.0-rc.1', 'v1.34.0'], lines: [] },
    { versions: ['v1.33.5+rke2r1', 'v1.33.5+rke2r2', 'v1.34.1+rke2r1'], lines: [] },
    {
      versions: ['v1.33.5+2', 'v1.33.5+1'],
      lines: ['spec.kubernetesVersion[1]: Invalid value: "v1.33.5+1": version must be greater than v1.33.5+2'],
    },
    {
      versions: ['v1.33.0', 'newest'],
      lines: ['spec.kubernetesVersion[1]: Invalid value: "newest": version must be a valid semantic version'],
    },
    {
      versions: ['v1.34.1', 'v1.34.0'],
      lines: ['spec.kubernetesVersion[1]: Invalid value: "v1.34.0": version must be greater than v1.34.1'],
    },
    {
      versions: ['v1.32.0', 'v1.34.0'],
      lines: [
        'spec.kubernetesVersion[1]: Invalid value: "v1.34.0": expecting a version with minor 32 or 33, found version 1.34.0',
      ],
    },
  ])('validates the upgrade path $versions', ({ versions, lines }) => {
    expect(refused({ kubernetesVersions: versions })).toEqual(lines);
  });

  it('must keep the kinds of the created objects', () => {
    const old = admit(clusterClass, classWith({}));
    const renamed = { templateRef: { ...base.infrastructure.templateRef, name: 'class-2' } };
    expect(refusals(clusterClass, classWith({ infrastructure: renamed }), old)).toEqual([]);
    const other = { templateRef: { ...base.infrastructure.templateRef, kind: 'OtherTemplate', apiVersion: 'a.b/v1' } };
    expect(refusals(clusterClass, classWith({ infrastructure: other }), old)).toEqual([
      'spec.infrastructure.templateRef.apiVersion: Forbidden: group of apiVersion cannot be changed from "infrastructure.cluster.x-k8s.io" to "a.b" to prevent incompatible changes in the Clusters',
      'spec.infrastructure.templateRef.kind: Forbidden: kind cannot be changed from "AWSClusterTemplate" to "OtherTemplate" to prevent incompatible changes in the Clusters',
    ]);
  });
});
