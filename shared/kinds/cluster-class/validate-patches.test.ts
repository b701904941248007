import { describe, expect, it } from 'vitest';
import { refusals } from '../test-admission.ts';
import { clusterClass } from './definition.ts';
import type { ClassPatch, JsonPatch, PatchSelector } from './patch-schema.ts';
import { base, classWith } from './test-class.ts';

const { apiVersion, kind } = base.infrastructure.templateRef;
const selector: PatchSelector = { apiVersion, kind, matchResources: { infrastructureCluster: true } };
const jsonPatch: JsonPatch = { op: 'add', path: '/spec/template/spec/region', valueFrom: { variable: 'region' } };
const patch: ClassPatch = { name: 'region', definitions: [{ selector, jsonPatches: [jsonPatch] }] };

const refused = (...patches: ClassPatch[]): string[] => refusals(clusterClass, classWith({ patches }));
const AT = 'spec.patches[0].definitions[0]';

/** A patch of labels as Go prints it. */
const pretty = `{
  "op": "add",
  "path": "/metadata/labels",
  "valueFrom": {
    "variable": "region"
  }
}`;

describe('patches of a ClusterClass', () => {
  it('may set fields of templates from variables, and depend on conditions', () => {
    expect(refused(patch, { ...patch, name: 'again', enabledIf: '{{ eq .region "eu-west-1" }}' })).toEqual([]);
  });

  it('must have unique names and exactly one source', () => {
    expect(refused(patch, patch, { name: 'inline' }, { ...patch, name: 'both', external: {} })).toEqual([
      'spec.patches[1].name: Invalid value: "region": patch names must be unique. Patch with name "region" is defined more than once',
      'spec.patches[2].name: Required value: "inline" can not be used as the name of a patch',
      'spec.patches[2]: Required value: one of definitions or external must be defined',
      'spec.patches[3]: Invalid value: only one of definitions or external can be defined',
    ]);
  });

  it('may come from an extension, which may discover variables', () => {
    const external = { generatePatchesExtension: 'a.b', validateTopologyExtension: 'c.b', settings: { d: 'e' } };
    expect(refused({ name: 'one', external })).toEqual([]);
    expect(refused({ name: 'one', external: { ...external, discoverVariablesExtension: 'f.b' } })).toEqual([]);
  });

  it.each<{ change: Partial<JsonPatch>; line: string }>([
    {
      change: { path: '/metadata/labels' },
      line: `${AT}.jsonPatches[0].path: Invalid value: ${JSON.stringify(pretty)}: jsonPatch path must start with "/spec"`,
    },
    { change: { path: '/spec/list/1' }, line: 'arrays can only be accessed using "0" (prepend) or "-" (append)' },
    {
      change: { op: 'replace', path: '/spec/list/0' },
      line: 'elements in arrays can not be accessed in a replace operation',
    },
    { change: { valueFrom: undefined }, line: 'jsonPatch must define one of value or valueFrom' },
    { change: { value: 'a' }, line: 'jsonPatch can not define both value and valueFrom' },
    {
      change: { valueFrom: {} },
      line: `${AT}.jsonPatches[0].valueFrom: Invalid value: "{}": valueFrom must set either template or variable`,
    },
    {
      change: { valueFrom: { variable: 'region', template: '{{ .region }}' } },
      line: 'valueFrom can not set both template and variable',
    },
    { change: { valueFrom: { variable: 'zone.name' } }, line: 'variable with name zone.name cannot be found' },
    { change: { valueFrom: { variable: 'builtin.cluster.age' } }, line: 'not a defined builtin variable' },
  ])('are refused with $change', ({ change, line }) => {
    const changed = JSON.parse(JSON.stringify({ ...jsonPatch, ...change }));
    expect(refused({ ...patch, definitions: [{ selector, jsonPatches: [changed] }] })).toEqual([
      expect.stringContaining(line),
    ]);
  });

  it.each(['builtin.cluster.name', 'region.part', 'region[0]'])('may use the variable %s', (variable) => {
    const jsonPatches = [{ ...jsonPatch, valueFrom: { variable } }];
    expect(refused({ ...patch, definitions: [{ selector, jsonPatches }] })).toEqual([]);
  });

  const machines = { apiVersion, kind: 'AWSMachineTemplate' };

  it.each<{ chosen: PatchSelector; line: string }>([
    { chosen: { ...selector, matchResources: { controlPlane: false } }, line: 'no selector enabled' },
    {
      chosen: { ...selector, kind: 'Other' },
      line: `${AT}.selector.matchResources.infrastructureCluster: Invalid value: true: selector is enabled but does not match`,
    },
    {
      chosen: { ...selector, matchResources: { controlPlane: true } },
      line: 'matches neither the controlPlane ref nor the controlPlane machineInfrastructure ref',
    },
    {
      chosen: { ...machines, matchResources: { machineDeploymentClass: { names: ['gpu'] } } },
      line: `${AT}.selector.matchResources.machineDeploymentClass.names[0]: Invalid value: "gpu": selector is enabled but matches neither`,
    },
    {
      chosen: { ...machines, matchResources: { machinePoolClass: { names: ['*'] } } },
      line: 'infrastructure ref of a MachinePool class',
    },
    {
      chosen: { ...machines, matchResources: { machineDeploymentClass: { names: ['d*t*'] } } },
      line: 'selector can at most contain a single "*" rune',
    },
    {
      chosen: { ...machines, matchResources: { machineDeploymentClass: { names: ['d*r'] } } },
      line: '"*" rune can only appear at the beginning, or ending',
    },
    {
      chosen: { ...machines, matchResources: { machineDeploymentClass: { names: ['*!'] } } },
      line: 'does not comply with the Kubernetes naming standards',
    },
  ])('are refused with the selector $chosen', ({ chosen, line }) => {
    expect(refused({ ...patch, definitions: [{ selector: chosen, jsonPatches: [jsonPatch] }] })).toEqual([
      expect.stringContaining(line),
    ]);
  });

  it.each(['default-worker', '*', 'default-*', '*-worker'])('may select workers by %s', (name) => {
    const matchResources = { controlPlane: true, machineDeploymentClass: { names: [name] } };
    expect(
      refused({ ...patch, definitions: [{ selector: { ...machines, matchResources }, jsonPatches: [jsonPatch] }] }),
    ).toEqual([]);
  });
});
