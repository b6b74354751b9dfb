import { type Deployment, deploymentsOf } from '@trestle/contracts/areas'
import type { ServedChain } from '@trestle/contracts/chains/chain'
import { readChains } from '@trestle/runtime/chains-env'
import { parseEnv, serviceEnv } from '@trestle/runtime/env'
import { z } from 'zod'

const Origin = z.url({ protocol: /^https?$/ }).transform((url) => new URL(url).origin)

const consoleEnv = z.object({
  NODE_ENV: serviceEnv.NODE_ENV,
  LOG_LEVEL: serviceEnv.LOG_LEVEL,
  HOST: serviceEnv.HOST,
  PORT: serviceEnv.PORT.default(4100),
  INTERNAL_PORT: serviceEnv.INTERNAL_PORT.default(5100),
  TLS_CERT_FILE: serviceEnv.TLS_CERT_FILE,
  TLS_KEY_FILE: serviceEnv.TLS_KEY_FILE,
  TLS_CLIENT_CA_FILE: serviceEnv.TLS_CLIENT_CA_FILE,
  /** As the ingress': for services with an `https:` address. */
  UPSTREAM_CA_FILE: z.string().optional(),
  UPSTREAM_CERT_FILE: z.string().optional(),
  UPSTREAM_KEY_FILE: z.string().optional(),
  /** The base of the chains' URLs; by default the host that the browser called. With https the session's cookie is `Secure`. */
  PUBLIC_URL: serviceEnv.PUBLIC_URL.optional(),
})

interface ConsoleEnv extends z.output<typeof consoleEnv> {
  /** What the platform serves. */
  readonly chains: readonly ServedChain[]
  /** Where each deployment is, by its name; one without an address is not deployed here. */
  readonly upstreams: ReadonlyMap<string, string>
}

export function readEnv(source?: NodeJS.ProcessEnv): ConsoleEnv {
  const env = parseEnv(consoleEnv, source)
  const chains = readChains(source)
  const names = namesOf(deploymentsOf(chains))
  const addresses = parseEnv(z.object(Object.fromEntries(names.map((name) => [variableOf(name), Origin.optional()]))), source)
  const upstreams = names.flatMap((name) => {
    const origin = addresses[variableOf(name)]
    return origin ? [[name, origin] as const] : []
  })
  return { ...env, chains, upstreams: new Map(upstreams) }
}

/** The deployments, and the parts of them that larger installations deploy separately. */
function namesOf(deployments: readonly Deployment[]): readonly string[] {
  return deployments.filter(({ app }) => app !== 'console').flatMap(({ name, parts = [] }) => [name, ...parts.map((part) => part.name)])
}

function variableOf(name: string): string {
  return `${name.toUpperCase().replaceAll('-', '_')}_URL`
}
