import type { KindTexts } from '../../kube-api/schema/field-texts.ts';
import { conditionsText, deprecatedStatusText, labelSelectorFields, v1beta1StatusFields } from '../texts/meta.ts';

const STATUS = 'What discovery has found. Written by the controllers.';

export const extensionConfigTexts = {
  text: 'An extension of managed topologies: a server or a Lambda function that is called at points in the life of clusters.',
  fields: {
    spec: [
      'Where the extension is, and for which clusters it is called.',
      {
        clientConfig: [
          'How the extension is called. Exactly one of url and service is set; service is refused.',
          {
            url: 'An https URL, to whose path the path of a hook is added, or the ARN of a Lambda function. No user, query or fragment, and no link-local address.',
            service: [
              'Refused: there is no management cluster that has services. Use url instead.',
              {
                namespace: 'Namespace of the Service.',
                name: 'Name of the Service.',
                path: 'Path in front of the path of a hook.',
                port: 'Port of the Service. Defaults to 443.',
              },
            ],
            caBundle:
              'PEM encoded certificates of the CAs that may have signed the certificate of the server. Required with an https URL; no other CA is trusted.',
          },
        ],
        namespaceSelector: [
          'Labels of the namespaces for whose clusters the extension is called. Defaults to all namespaces.',
          labelSelectorFields,
        ],
        settings:
          'Passed to every call. Settings of a patch in a ClusterClass win over settings of the same name here.',
      },
    ],
    status: [
      STATUS,
      {
        conditions: conditionsText,
        handlers: [
          'Handlers that the extension has, as its discovery hook has answered.',
          {
            name: 'Name of the handler, followed by a dot and the name of the ExtensionConfig.',
            requestHook: [
              'The hook that the handler serves.',
              { apiVersion: 'Group and version of the hook.', hook: 'Name of the hook, such as BeforeClusterCreate.' },
            ],
            timeoutSeconds: 'For how many seconds a call may take, at most 30. Defaults to 10.',
            failurePolicy: 'Ignore continues after a failed call, Fail does not. Defaults to Fail.',
          },
        ],
        deprecated: deprecatedStatusText(),
      },
    ],
  },
  versions: { v1alpha1: { status: [STATUS, v1beta1StatusFields] } },
} satisfies KindTexts;
