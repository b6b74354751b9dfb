import { TRANSPORT_KINDS } from '@trestle/gateway/upstream/open-transport'
import { list, parseEnv, sealingKeys, serviceEnv } from '@trestle/runtime/env'
import { z } from 'zod'

const settings = z.object({
  ...serviceEnv,
  /** Where revocations are read while NATS is unavailable. */
  ACCOUNTS_INTERNAL_URL: z.url({ protocol: /^https?$/ }).optional(),
  /** `api` answers requests, `controller` reconciles workloads, `gateway` passes calls on to nodes; `all` does everything. */
  ROLE: z.enum(['all', 'api', 'controller', 'gateway']).default('all'),
  /** How the gateway connects to nodes: our own HTTP client, or undici. */
  UPSTREAM_TRANSPORT: z.enum(TRANSPORT_KINDS).default('http1'),
  /** What makes nodes: processes on this host, a Kubernetes cluster, or Amazon EC2. */
  DRIVER: z.enum(['local', 'kubernetes', 'aws-ec2']).default('local'),
  /** Identifies the machines of this installation among those that its driver finds. */
  INSTALLATION: z
    .string()
    .regex(/^[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?$/, 'must be at most 40 lower-case letters, digits and hyphens')
    .default('trestle'),
  /** A JSON file with a catalogue, instead of the built-in one. */
  CATALOGUE_FILE: z.string().optional(),
  /** Seal the passwords of nodes. */
  KEY_ENCRYPTION_KEYS: sealingKeys,
  /** The interval at which steady workloads are reconciled. */
  RECONCILE_MS: z.coerce.number().int().min(50).max(600_000).default(30_000),
  /** How long a machine must have been an orphan before it is removed. */
  ORPHAN_GRACE_MS: z.coerce.number().int().min(0).default(86_400_000),
  /** How long the data of removed nodes and clusters is kept, so that they can be restored; 0: it is deleted at once. */
  BIN_HOURS: z.coerce.number().int().min(0).max(8_760).default(72),
  /** The default plan: how many nodes and clusters a user may have, and for how many days. No nodes: what administrators grant, and no clusters. */
  PLAN_NODES: z.coerce.number().int().min(0).default(5),
  PLAN_CLUSTERS: z.coerce.number().int().min(0).optional(),
  PLAN_DAYS: z.coerce.number().int().min(1).max(36_600).default(3_660),

  /** Driver `local`: where nodes keep their data, and the ports of their own that they are called at. */
  DATA_DIR: z.string().default('.data/nodes'),
  NODE_PORTS: z
    .string()
    .regex(/^\d{4,5}-\d{4,5}$/, 'must be a range such as 21000-21999')
    .default('21000-21999')
    .transform((range): [number, number] => {
      const [first = 0, last = first] = range.split('-').map(Number)
      return [first, last]
    }),
  /** Driver `local`: paths of programs that are not on PATH. */
  BITCOIND: z.string().optional(),
  LITECOIND: z.string().optional(),
  BITCOIN_CASH_NODE: z.string().optional(),
  ANVIL: z.string().optional(),
  GETH: z.string().optional(),
  PATH: z.string().default(''),

  /** Driver `kubernetes`: the API server, its credentials, and the namespace of the machines. The defaults are those of a pod. */
  KUBERNETES_API: z.url({ protocol: /^https?$/ }).default('https://kubernetes.default.svc'),
  KUBERNETES_TOKEN_FILE: z.string().default('/var/run/secrets/kubernetes.io/serviceaccount/token'),
  KUBERNETES_CA_FILE: z.string().default('/var/run/secrets/kubernetes.io/serviceaccount/ca.crt'),
  KUBERNETES_NAMESPACE: z
    .string()
    .regex(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/)
    .default('trestle-machines'),
  /** The namespace of the pods that may call machines. */
  KUBERNETES_GATEWAY_NAMESPACE: z
    .string()
    .regex(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/)
    .default('trestle'),
  /** The storage class of volumes; the cluster's default if left out. */
  KUBERNETES_STORAGE_CLASS: z.string().optional(),

  /** Driver `aws-ec2`: the region, the subnet and the security groups of instances. */
  AWS_REGION: z.string().default('us-east-1'),
  EC2_SUBNET: z.string().default(''),
  EC2_SECURITY_GROUPS: list,
  /** For tests; Amazon's if left out. */
  EC2_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
})

export type NodesEnv = ReturnType<typeof readEnv>

export function readEnv(source?: NodeJS.ProcessEnv) {
  const env = parseEnv(settings, source)
  return { ...env, PLAN_CLUSTERS: env.PLAN_CLUSTERS ?? (env.PLAN_NODES === 0 ? 0 : 2) }
}
