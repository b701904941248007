import { describe, expect, it } from 'vitest';
import { nameTemplate } from './name-template.ts';
import { validateNameTemplate, validateNaming } from './names.ts';

const VARIABLES = { cluster: { name: 'demo' }, machineDeployment: { topologyName: 'md-0' } };
const nameOf = (template: string) => nameTemplate(template)(VARIABLES, '2b4c6');

describe('nameTemplate', () => {
  it.each([
    ['{{ .cluster.name }}-{{ .random }}', 'demo-2b4c6'],
    ['{{ if eq .machineDeployment.topologyName "md-0" }}first{{ else }}other{{ end }}', 'first'],
    ['{{ slice .cluster.name 0 2 }}{{- /* trimmed */ -}} {{ printf "-%.2s" .random }}', 'de-2b'],
    ['{{ with .machineDeployment }}{{ $.cluster.name }}-{{ .topologyName }}{{ end }}', 'demo-md-0'],
  ])('renders %s', (template, name) => {
    expect(nameOf(template)).toBe(name);
  });

  it('truncates a name with too many bytes, and ends it with the random part', () => {
    expect(nameOf(`${'x'.repeat(59)}-{{ .random }}`)).toBe(`${'x'.repeat(58)}2b4c6`);
  });

  it.each([
    ['{{ .cluster.uid }}', 'rendering template: the template uses a map that has no entry for key "uid"'],
    ['{{ lower .cluster.name }}', /^parsing template ".*": the template uses lower, which is not supported here$/],
    ['{{ .cluster.name', /^parsing template ".*": the template has an action that does not end$/],
    ['{{range$}}'.repeat(12) + '{{end}}'.repeat(12), /takes too many steps or produces too much text$/],
  ])('refuses %s and says why', (template, says) => {
    expect(() => nameOf(template)).toThrow(says);
  });
});

const detailsOf = (errors: readonly { detail?: string }[]) => errors.map(({ detail }) => detail);

describe('the rules for name templates', () => {
  it('allow only the names of the kind of object that they are for', () => {
    const template = '{{ .machinePool.topologyName }}-{{ .random }}';
    expect(validateNameTemplate(template, 'field', 'MachinePool')).toEqual([]);
    expect(detailsOf(validateNameTemplate(template, 'field', 'MachineDeployment'))).toEqual([
      'invalid MachineDeployment name template: rendering template: the template uses a map that has no entry for key "machinePool"',
    ]);
  });

  it('refuse a template that does not yield a valid object name', () => {
    const [detail = ''] = detailsOf(validateNameTemplate('{{ if .cluster.name }}A{{ end }}', 'field', 'InfraCluster'));
    expect(detail).toContain('lowercase RFC 1123 subdomain');
  });

  it('require the random part in machine names', () => {
    expect(detailsOf(validateNaming('{{ .machineSet.name }}', 'machineSet', 'field'))).toEqual([
      'invalid template, {{ .random }} is missing',
    ]);
    expect(detailsOf(validateNaming('{{ .a }}-{{ .random }}', 'machineSet', 'field'))).toEqual([
      'invalid template: rendering template: the template uses a map that has no entry for key "a"',
    ]);
  });
});
