/**
 * The namespace of the Secrets of AWSClusterStaticIdentities: upstream's default for the namespace of its controllers.
 */
export const SECRET_NAMESPACE = 'capa-system';
