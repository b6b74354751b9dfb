import { type Deployment, deploymentsOf } from '@trestle/contracts/areas'
import type { ServedChain } from '@trestle/contracts/chains/chain'
import { addressesOf } from '@trestle/runtime/address-ranges'
import { readChains } from '@trestle/runtime/chains-env'
import { parseEnv, serviceEnv } from '@trestle/runtime/env'
import { z } from 'zod'

const list = z.string().transform((text) => text.split(',').map((item) => item.trim()))

/** The replicas of a service. Paths are passed on unchanged, so an address has none. */
const Replicas = list.pipe(z.array(z.url({ protocol: /^https?$/ })).min(1)).transform((urls, context) => {
  const origins = urls.map((url) => new URL(url))
  if (origins.every(({ pathname, search }) => pathname === '/' && search === '')) return origins
  context.addIssue('must be addresses without a path, with commas between')
  return z.NEVER
})

const ingressEnv = z.object({
  NODE_ENV: serviceEnv.NODE_ENV,
  LOG_LEVEL: serviceEnv.LOG_LEVEL,
  HOST: serviceEnv.HOST,
  PORT: serviceEnv.PORT.default(8080),
  INTERNAL_PORT: serviceEnv.INTERNAL_PORT.default(9080),
  /** In the addresses of chains; where callers say they are when left out. */
  PUBLIC_URL: serviceEnv.PUBLIC_URL.optional(),
  /** For replicas with an `https:` address: the authority that signs their certificates, unless it is a public one. */
  UPSTREAM_CA_FILE: z.string().optional(),
  /** The ingress' own certificate and its key, for services that admit no other client. */
  UPSTREAM_CERT_FILE: z.string().optional(),
  UPSTREAM_KEY_FILE: z.string().optional(),
  /** The proxies whose X-Forwarded-* headers are trusted; none by default. For another proxy in front of the ingress. */
  TRUSTED_PROXIES: list
    .pipe(z.array(z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()])))
    .default([])
    .transform(addressesOf),
})

interface IngressEnv extends z.output<typeof ingressEnv> {
  /** What the platform serves. */
  readonly chains: readonly ServedChain[]
  readonly deployments: readonly Deployment[]
  /** The replicas of each deployment, by its name; one without an address is not deployed here. */
  readonly upstreams: ReadonlyMap<string, readonly URL[]>
}

export function readEnv(source?: NodeJS.ProcessEnv): IngressEnv {
  const env = parseEnv(ingressEnv, source)
  const chains = readChains(source)
  const deployments = deploymentsOf(chains)
  const addresses = parseEnv(z.object(Object.fromEntries(deployments.map(({ name }) => [variableOf(name), Replicas.optional()]))), source)
  const upstreams = deployments.flatMap(({ name }) => {
    const origins = addresses[variableOf(name)]
    return origins ? [[name, origins] as const] : []
  })
  return { ...env, chains, deployments, upstreams: new Map(upstreams) }
}

function variableOf(deployment: string): string {
  return `${deployment.toUpperCase().replaceAll('-', '_')}_URL`
}
