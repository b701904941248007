import { renderGoTemplate } from '../kube-api/go-template/render.ts';
import { TemplateError } from '../kube-api/go-template/scan.ts';
import type { Value } from '../kube-api/go-template/values.ts';
import { BootstrapInvalidError } from './invalid.ts';
import type { BootstrapFile } from './kubeadm/spec.ts';

/** As in upstream, templates see `1.35` and `v1.35` as `v1.35.0`. */
const fullVersion = (version: string): string => {
  const [, numbers = '', rest = ''] = /^v?([\d.]+)(.*)$/.exec(version) ?? [];
  const [major = '0', minor = '0', patch = '0'] = numbers.split('.');
  return `v${major}.${minor}.${patch}${rest}`;
};

/** Upstream's data for templates: only the version of the control plane, if the cluster has one. */
const dataOf = (controlPlaneVersion: string | undefined): Value =>
  controlPlaneVersion ? { controlPlane: { version: fullVersion(controlPlaneVersion) } } : {};

const render = (template: string, data: Value, field: string): string => {
  try {
    return renderGoTemplate(template, data);
  } catch (error) {
    // Without the cause, because it might be logged and a template may contain secrets.
    if (error instanceof TemplateError) throw new BootstrapInvalidError(field, `the template ${error.message}`);
    throw error;
  }
};

/**
 * Renders the files with `contentFormat: Template`; their content is then raw. Throws BootstrapInvalidError, which
 * names the field, for an invalid template.
 */
export const renderFiles = (
  files: readonly BootstrapFile[],
  controlPlaneVersion: string | undefined,
): BootstrapFile[] =>
  files.map(({ contentFormat, ...file }, index) =>
    contentFormat === 'Template'
      ? {
          ...file,
          content: render(file.content ?? '', dataOf(controlPlaneVersion), `spec.files[${index}].contentFormat`),
        }
      : { ...file, ...(contentFormat ? { contentFormat } : {}) },
  );
