import protobuf from 'protobufjs';

/**
 * The messages that clients of built-in kinds send: field names and numbers are those of the `generated.proto` files of
 * k8s.io/api and k8s.io/apimachinery. Only what such a client writes is listed; unknown fields are skipped.
 */

type Fields = Record<string, [number, string] | [number, 'repeated', string] | [number, 'map', string]>;

const MESSAGES: Record<string, Fields> = {
  TypeMeta: { apiVersion: [1, 'string'], kind: [2, 'string'] },
  Unknown: { typeMeta: [1, 'TypeMeta'], raw: [2, 'bytes'], contentEncoding: [3, 'string'], contentType: [4, 'string'] },
  Time: { seconds: [1, 'int64'], nanos: [2, 'int32'] },
  MicroTime: { seconds: [1, 'int64'], nanos: [2, 'int32'] },
  FieldsV1: { Raw: [1, 'bytes'] },
  OwnerReference: {
    kind: [1, 'string'],
    name: [3, 'string'],
    uid: [4, 'string'],
    apiVersion: [5, 'string'],
    controller: [6, 'bool'],
    blockOwnerDeletion: [7, 'bool'],
  },
  ManagedFieldsEntry: {
    manager: [1, 'string'],
    operation: [2, 'string'],
    apiVersion: [3, 'string'],
    time: [4, 'Time'],
    fieldsType: [6, 'string'],
    fieldsV1: [7, 'FieldsV1'],
    subresource: [8, 'string'],
  },
  ObjectMeta: {
    name: [1, 'string'],
    generateName: [2, 'string'],
    namespace: [3, 'string'],
    uid: [5, 'string'],
    resourceVersion: [6, 'string'],
    generation: [7, 'int64'],
    creationTimestamp: [8, 'Time'],
    deletionTimestamp: [9, 'Time'],
    deletionGracePeriodSeconds: [10, 'int64'],
    labels: [11, 'map', 'string'],
    annotations: [12, 'map', 'string'],
    ownerReferences: [13, 'repeated', 'OwnerReference'],
    finalizers: [14, 'repeated', 'string'],
    managedFields: [17, 'repeated', 'ManagedFieldsEntry'],
  },
  Preconditions: { uid: [1, 'string'], resourceVersion: [2, 'string'] },
  DeleteOptions: {
    gracePeriodSeconds: [1, 'int64'],
    preconditions: [2, 'Preconditions'],
    orphanDependents: [3, 'bool'],
    propagationPolicy: [4, 'string'],
    dryRun: [5, 'repeated', 'string'],
  },
  Secret: {
    metadata: [1, 'ObjectMeta'],
    data: [2, 'map', 'bytes'],
    type: [3, 'string'],
    stringData: [4, 'map', 'string'],
    immutable: [5, 'bool'],
  },
  ConfigMap: {
    metadata: [1, 'ObjectMeta'],
    data: [2, 'map', 'string'],
    binaryData: [3, 'map', 'bytes'],
    immutable: [4, 'bool'],
  },
  NamespaceSpec: { finalizers: [1, 'repeated', 'string'] },
  NamespaceStatus: { phase: [1, 'string'] },
  Namespace: { metadata: [1, 'ObjectMeta'], spec: [2, 'NamespaceSpec'], status: [3, 'NamespaceStatus'] },
  ObjectReference: {
    kind: [1, 'string'],
    namespace: [2, 'string'],
    name: [3, 'string'],
    uid: [4, 'string'],
    apiVersion: [5, 'string'],
    resourceVersion: [6, 'string'],
    fieldPath: [7, 'string'],
  },
  EventSource: { component: [1, 'string'], host: [2, 'string'] },
  EventSeries: { count: [1, 'int32'], lastObservedTime: [2, 'MicroTime'] },
  Event: {
    metadata: [1, 'ObjectMeta'],
    involvedObject: [2, 'ObjectReference'],
    reason: [3, 'string'],
    message: [4, 'string'],
    source: [5, 'EventSource'],
    firstTimestamp: [6, 'Time'],
    lastTimestamp: [7, 'Time'],
    count: [8, 'int32'],
    type: [9, 'string'],
    eventTime: [10, 'MicroTime'],
    series: [11, 'EventSeries'],
    action: [12, 'string'],
    related: [13, 'ObjectReference'],
    reportingComponent: [14, 'string'],
    reportingInstance: [15, 'string'],
  },
  LabelSelectorRequirement: { key: [1, 'string'], operator: [2, 'string'], values: [3, 'repeated', 'string'] },
  LabelSelector: {
    matchLabels: [1, 'map', 'string'],
    matchExpressions: [2, 'repeated', 'LabelSelectorRequirement'],
  },
  PolicyRule: {
    verbs: [1, 'repeated', 'string'],
    apiGroups: [2, 'repeated', 'string'],
    resources: [3, 'repeated', 'string'],
    resourceNames: [4, 'repeated', 'string'],
    nonResourceURLs: [5, 'repeated', 'string'],
  },
  AggregationRule: { clusterRoleSelectors: [1, 'repeated', 'LabelSelector'] },
  Role: { metadata: [1, 'ObjectMeta'], rules: [2, 'repeated', 'PolicyRule'] },
  ClusterRole: {
    metadata: [1, 'ObjectMeta'],
    rules: [2, 'repeated', 'PolicyRule'],
    aggregationRule: [3, 'AggregationRule'],
  },
  Subject: { kind: [1, 'string'], apiGroup: [2, 'string'], name: [3, 'string'], namespace: [4, 'string'] },
  RoleRef: { apiGroup: [1, 'string'], kind: [2, 'string'], name: [3, 'string'] },
  RoleBinding: { metadata: [1, 'ObjectMeta'], subjects: [2, 'repeated', 'Subject'], roleRef: [3, 'RoleRef'] },
  ClusterRoleBinding: { metadata: [1, 'ObjectMeta'], subjects: [2, 'repeated', 'Subject'], roleRef: [3, 'RoleRef'] },
  ResourceAttributes: {
    namespace: [1, 'string'],
    verb: [2, 'string'],
    group: [3, 'string'],
    version: [4, 'string'],
    resource: [5, 'string'],
    subresource: [6, 'string'],
    name: [7, 'string'],
  },
  NonResourceAttributes: { path: [1, 'string'], verb: [2, 'string'] },
  SelfSubjectAccessReviewSpec: {
    resourceAttributes: [1, 'ResourceAttributes'],
    nonResourceAttributes: [2, 'NonResourceAttributes'],
  },
  SelfSubjectAccessReview: { metadata: [1, 'ObjectMeta'], spec: [2, 'SelfSubjectAccessReviewSpec'] },
  SubjectAccessReviewSpec: {
    resourceAttributes: [1, 'ResourceAttributes'],
    nonResourceAttributes: [2, 'NonResourceAttributes'],
    user: [3, 'string'],
    groups: [4, 'repeated', 'string'],
    uid: [6, 'string'],
  },
  SubjectAccessReview: { metadata: [1, 'ObjectMeta'], spec: [2, 'SubjectAccessReviewSpec'] },
  LocalSubjectAccessReview: { metadata: [1, 'ObjectMeta'], spec: [2, 'SubjectAccessReviewSpec'] },
  SelfSubjectRulesReviewSpec: { namespace: [1, 'string'] },
  SelfSubjectRulesReview: { metadata: [1, 'ObjectMeta'], spec: [2, 'SelfSubjectRulesReviewSpec'] },
  SelfSubjectReview: { metadata: [1, 'ObjectMeta'] },
};

const fieldOf = (name: string, shape: Fields[string]): protobuf.FieldBase => {
  const [id, form, type] = shape;
  if (form === 'map') return new protobuf.MapField(name, id, 'string', type ?? 'string');
  return form === 'repeated'
    ? new protobuf.Field(name, id, type ?? 'string', 'repeated')
    : new protobuf.Field(name, id, form);
};

const typeOf = (name: string, fields: Fields): protobuf.Type =>
  Object.entries(fields).reduce((type, [field, shape]) => type.add(fieldOf(field, shape)), new protobuf.Type(name));

let root: protobuf.Root | undefined;

/** The message type of that name, or undefined. Types are built at the first use: most requests need none. */
export const messageType = (name: string): protobuf.Type | undefined => {
  if (!Object.hasOwn(MESSAGES, name)) return undefined;
  root ??= Object.entries(MESSAGES).reduce(
    (made, [message, fields]) => made.add(typeOf(message, fields)) as protobuf.Root,
    new protobuf.Root(),
  );
  return root.lookupType(name);
};
