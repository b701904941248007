import type { FieldText } from '../../kube-api/schema/field-texts.ts';

/** Environment variables of a control plane container, which runs as a static pod. */
export const extraEnvsText = [
  'Environment variables for the container. They override those that kubeadm sets, proxies included; needs Kubernetes 1.31 or newer.',
  {
    name: 'Name of the variable.',
    value: 'Value of the variable, in which $(NAME) stands for an earlier variable. Defaults to the empty string.',
    valueFrom: [
      'Source of the value. Cannot be combined with value.',
      {
        configMapKeyRef: [
          'Key of a ConfigMap. The control plane runs as static pods, which cannot refer to ConfigMaps.',
          {
            name: 'Name of the ConfigMap.',
            key: 'Key in the ConfigMap.',
            optional: 'Lets the container start without the ConfigMap or the key. Defaults to false.',
          },
        ],
        secretKeyRef: [
          'Key of a Secret. The control plane runs as static pods, which cannot refer to Secrets.',
          {
            name: 'Name of the Secret.',
            key: 'Key in the Secret.',
            optional: 'Lets the container start without the Secret or the key. Defaults to false.',
          },
        ],
        fieldRef: [
          'Field of the pod itself, such as its IP address.',
          {
            fieldPath: 'Path of the field, such as status.podIP or metadata.name.',
            apiVersion: 'API version that the path is written for. Defaults to v1.',
          },
        ],
        fileKeyRef: [
          'Variable from an environment file in a volume of the pod.',
          {
            key: 'Name of the variable in the file.',
            path: 'Path of the file, relative to the root of the volume.',
            volumeName: 'Name of the volume that holds the file.',
            optional: 'Lets the container start without the file or the key. Defaults to false.',
          },
        ],
        resourceFieldRef: [
          'Resource request or limit of a container.',
          {
            resource: 'Resource to read, such as limits.cpu or requests.memory.',
            containerName: 'Container whose resources are read. Defaults to the one that gets the variable.',
            divisor: 'Unit to express the resource in, such as 1m or 1Mi. Defaults to 1.',
          },
        ],
      },
    ],
  },
] satisfies FieldText;
