/** Ours, on an AWSClusterRoleIdentity. */
export const IDENTITY_ANNOTATION = {
  /** `true`: a role of another account is assumed without an external id. */
  withoutExternalId: 'windlass.dev/without-external-id',
  /** What STS records as the source identity of the session. */
  sourceIdentity: 'windlass.dev/source-identity',
  /** `key=value,key=value`: tags of the session. */
  sessionTags: 'windlass.dev/session-tags',
} as const;

/** Where the Secrets of AWSClusterStaticIdentities are: upstream's default for the namespace of its controllers. */
export const SECRET_NAMESPACE = 'capa-system';
