/** The calls with which a machine reads and empties a store: with the AWS CLI, or else with Python. */

export type Store = 'secrets-manager' | 'ssm-parameter-store';

interface StoreCalls {
  service: string;
  /** The name of the service in the header `X-Amz-Target`. */
  target: string;
  /** Arguments of the CLI, which begin with the name of the operation. */
  read: string;
  remove: string;
  /** The same for a signed request: the operation, its input in JSON, and the path of the value in the response. */
  readRequest: string;
  removeRequest: string;
}

/** Both stores contain base64. The functions that make the calls get the number of the chunk as `$1`. */
const CALLS: Readonly<Record<Store, StoreCalls>> = {
  'secrets-manager': {
    service: 'secretsmanager',
    target: 'secretsmanager',
    read: 'get-secret-value --secret-id "$SECRET_PREFIX-$1" --query SecretBinary',
    remove: 'delete-secret --secret-id "$SECRET_PREFIX-$1" --force-delete-without-recovery',
    readRequest: 'GetSecretValue "{\\"SecretId\\":\\"$SECRET_PREFIX-$1\\"}" SecretBinary',
    removeRequest: 'DeleteSecret "{\\"SecretId\\":\\"$SECRET_PREFIX-$1\\",\\"ForceDeleteWithoutRecovery\\":true}"',
  },
  'ssm-parameter-store': {
    service: 'ssm',
    target: 'AmazonSSM',
    read: 'get-parameter --name "$SECRET_PREFIX/$1" --with-decryption --query Parameter.Value',
    remove: 'delete-parameter --name "$SECRET_PREFIX/$1"',
    readRequest: 'GetParameter "{\\"Name\\":\\"$SECRET_PREFIX/$1\\",\\"WithDecryption\\":true}" Parameter Value',
    removeRequest: 'DeleteParameter "{\\"Name\\":\\"$SECRET_PREFIX/$1\\"}"',
  },
};

/**
 * One call, signed with the credentials of the instance profile (Signature Version 4), which only come through IMDSv2.
 * Its arguments are the region, the service, the name of the target, the operation, the input, and the keys of the path
 * to the value. Runs with Python 3.6 and later, without any package. `AWS_ENDPOINT_URL` and
 * `AWS_EC2_METADATA_SERVICE_ENDPOINT` have the same meaning as for the CLI.
 */
const PYTHON = `import hashlib, hmac, json, os, sys, time
from urllib.parse import urlsplit
from urllib.request import ProxyHandler, Request, build_opener, urlopen
region, service, target, operation, body = sys.argv[1:6]
imds = (os.environ.get("AWS_EC2_METADATA_SERVICE_ENDPOINT") or "http://169.254.169.254").rstrip("/") + "/latest/"
direct = build_opener(ProxyHandler({}))
def metadata(path, headers, method="GET"):
    return direct.open(Request(imds + path, headers=headers, method=method), timeout=5).read().decode()
def sha256(text):
    return hashlib.sha256(text.encode()).hexdigest()
def sign(key, text):
    return hmac.new(key, text.encode(), hashlib.sha256)
def call():
    session = {"X-aws-ec2-metadata-token": metadata("api/token", {"X-aws-ec2-metadata-token-ttl-seconds": "300"}, "PUT")}
    roles = "meta-data/iam/security-credentials/"
    keys = json.loads(metadata(roles + metadata(roles, session).split()[0], session))
    url = os.environ.get("AWS_ENDPOINT_URL")
    if not url:
        url = "https://%s.%s.%s" % (service, region, metadata("meta-data/services/domain", session).strip())
    stamp = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime())
    headers = {"content-type": "application/x-amz-json-1.1", "host": urlsplit(url).netloc, "x-amz-date": stamp,
               "x-amz-security-token": keys["Token"], "x-amz-target": target + "." + operation}
    lines = ["%s:%s" % (name, headers[name]) for name in sorted(headers)]
    signed = ";".join(sorted(headers))
    request = "\\n".join(["POST", "/", ""] + lines + ["", signed, sha256(body)])
    scope = "/".join([stamp[:8], region, service, "aws4_request"])
    key = ("AWS4" + keys["SecretAccessKey"]).encode()
    for word in scope.split("/"):
        key = sign(key, word).digest()
    signature = sign(key, "\\n".join(["AWS4-HMAC-SHA256", stamp, scope, sha256(request)])).hexdigest()
    headers["authorization"] = "AWS4-HMAC-SHA256 Credential=%s/%s, SignedHeaders=%s, Signature=%s" % (
        keys["AccessKeyId"], scope, signed, signature)
    url = url.rstrip("/") + "/"
    return json.loads(urlopen(Request(url, body.encode(), headers), timeout=20).read().decode() or "{}")
try:
    answer = call()
    for name in sys.argv[6:]:
        answer = answer[name]
except Exception as error:
    detail = error.read().decode(errors="replace")[:400] if hasattr(error, "read") else ""
    sys.exit("%s %s: %s %s" % (operation, type(error).__name__, error, detail))
if len(sys.argv) > 6:
    print(answer)`;

/**
 * The shell functions read_chunk and remove_chunk, which take the number of a chunk. Errors are written to standard
 * error, and only the value that was read to standard output. The surrounding script calls its function `fail` with a
 * message.
 */
export const storeFunctions = (store: Store): string => {
  const { service, target, read, remove, readRequest, removeRequest } = CALLS[store];
  return `if command -v aws >/dev/null; then
  secrets() {
    aws ${service} --region "$REGION" --cli-connect-timeout 5 --cli-read-timeout 20 "$@"
  }
  read_chunk() { secrets ${read} --output text; }
  remove_chunk() { secrets ${remove} >/dev/null; }
else
  # The image has no AWS CLI, but the interpreter that cloud-init runs on.
  PYTHON="$(command -v python3)" || PYTHON="$(sed -n '1s/^#! *\\([^ ]*\\).*/\\1/p' "$(command -v cloud-init)")"
  [ -x "$PYTHON" ] || fail "the image has neither the AWS CLI nor Python 3; one is needed to fetch the bootstrap data"
  request() {
    "$PYTHON" -I - "$REGION" ${service} ${target} "$@" <<'PROGRAM'
${PYTHON}
PROGRAM
  }
  read_chunk() { request ${readRequest}; }
  remove_chunk() { request ${removeRequest}; }
fi`;
};
