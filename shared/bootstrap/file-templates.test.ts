import { describe, expect, it } from 'vitest';
import { renderFiles } from './file-templates.ts';

const template = (content: string) => ({ path: '/etc/x', contentFormat: 'Template' as const, content });

describe('renderFiles', () => {
  it.each([
    { version: 'v1.35.2', text: 'v1.35.2' },
    { version: '1.35', text: 'v1.35.0' },
    { version: 'v1.35.0-rc.1+build', text: 'v1.35.0-rc.1+build' },
    { version: undefined, text: '<no value>' },
  ])('renders the control plane version $version as $text', ({ version, text }) => {
    expect(renderFiles([template('{{ .controlPlane.version }}')], version)).toEqual([
      { path: '/etc/x', content: text },
    ]);
  });

  it('leaves files without a template unchanged', () => {
    const files = [
      { path: '/a', content: '{{ x }}' },
      { path: '/b', content: '{{ y }}', contentFormat: 'Raw' as const },
    ];
    expect(renderFiles(files, 'v1.35.0')).toEqual(files);
  });

  it('names the field of an invalid template, without any of its text', () => {
    const files = [{ path: '/a', content: '' }, template('the secret {{ define "x" }}{{ end }}')];
    const refusal = () => renderFiles(files, 'v1.35.0');
    expect(refusal).toThrow('spec.files[1].contentFormat: the template uses define, which is not supported here');
    expect(refusal).not.toThrow(/secret/);
  });
});
