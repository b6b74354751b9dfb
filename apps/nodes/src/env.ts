import { list, parseEnv, sealingKeys, serviceEnv } from '@trestle/runtime/env'
import { z } from 'zod'

const settings = z.object({
  ...serviceEnv,
  /** Where revocations are read when NATS is away. */
  ACCOUNTS_INTERNAL_URL: z.url({ protocol: /^https?$/ }).optional(),
  /** `api` answers callers, `controller` makes true what they want, `gateway` passes their calls on to nodes; `all` does everything. */
  ROLE: z.enum(['all', 'api', 'controller', 'gateway']).default('all'),
  /** What makes nodes: processes of this machine, a Kubernetes cluster, or Amazon's EC2. */
  DRIVER: z.enum(['local', 'kubernetes', 'aws-ec2']).default('local'),
  /** Tells apart what belongs to this installation from everything else that its driver finds. */
  INSTALLATION: z
    .string()
    .regex(/^[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?$/, 'must be small letters, digits and hyphens, 40 at most')
    .default('trestle'),
  /** Another catalogue than the built-in one: a JSON file. */
  CATALOGUE_FILE: z.string().optional(),
  /** Open the passwords of nodes. */
  KEY_ENCRYPTION_KEYS: sealingKeys,
  /** How often what stands still is looked at. */
  RECONCILE_MS: z.coerce.number().int().min(50).max(600_000).default(30_000),
  /** How long a thing must have been nobody's before it is removed. */
  ORPHAN_GRACE_MS: z.coerce.number().int().min(0).default(86_400_000),
  /** How many nodes, and clusters, somebody may have unless an administrator says otherwise, and for how many days. */
  PLAN_NODES: z.coerce.number().int().min(0).default(5),
  PLAN_CLUSTERS: z.coerce.number().int().min(0).default(2),
  PLAN_DAYS: z.coerce.number().int().min(1).max(36_600).default(3_660),

  /** Driver `local`: where nodes keep their data, and the ports they are called at themselves. */
  DATA_DIR: z.string().default('.data/nodes'),
  NODE_PORTS: z
    .string()
    .regex(/^\d{4,5}-\d{4,5}$/, 'must be a range such as 21000-21999')
    .default('21000-21999')
    .transform((range) => range.split('-').map(Number) as [number, number]),
  /** Driver `local`: the programs, where they are not on PATH. */
  BITCOIND: z.string().optional(),
  LITECOIND: z.string().optional(),
  BITCOIN_CASH_NODE: z.string().optional(),
  ANVIL: z.string().optional(),
  GETH: z.string().optional(),
  PATH: z.string().default(''),

  /** Driver `kubernetes`: the API server, and what its namespace for machines is called; a pod knows the rest. */
  KUBERNETES_API: z.url({ protocol: /^https?$/ }).default('https://kubernetes.default.svc'),
  KUBERNETES_TOKEN_FILE: z.string().default('/var/run/secrets/kubernetes.io/serviceaccount/token'),
  KUBERNETES_CA_FILE: z.string().default('/var/run/secrets/kubernetes.io/serviceaccount/ca.crt'),
  KUBERNETES_NAMESPACE: z
    .string()
    .regex(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/)
    .default('trestle-machines'),
  /** Whose pods may call machines. */
  KUBERNETES_GATEWAY_NAMESPACE: z
    .string()
    .regex(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/)
    .default('trestle'),
  /** Of volumes; by default the cluster's own. */
  KUBERNETES_STORAGE_CLASS: z.string().optional(),

  /** Driver `aws-ec2`: where instances are made, and what lets the gateway in and their peers. */
  AWS_REGION: z.string().default('us-east-1'),
  EC2_SUBNET: z.string().default(''),
  EC2_SECURITY_GROUPS: list,
  /** Another than Amazon's own. */
  EC2_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
})

export type NodesEnv = z.infer<typeof settings>

export function readEnv(source?: NodeJS.ProcessEnv): NodesEnv {
  return parseEnv(settings, source)
}
