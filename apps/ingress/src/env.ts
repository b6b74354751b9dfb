import { DEPLOYMENTS } from '@trestle/contracts/areas'
import { addressesOf } from '@trestle/runtime/address-ranges'
import { parseEnv, serviceEnv } from '@trestle/runtime/env'
import { z } from 'zod'

const list = z.string().transform((text) => text.split(',').map((item) => item.trim()))

/** The replicas of a service. Paths are passed on unchanged, so an address has none. */
const Replicas = list.pipe(z.array(z.url({ protocol: /^http$/ })).min(1)).transform((urls, context) => {
  const origins = urls.map((url) => new URL(url))
  if (origins.every(({ pathname, search }) => pathname === '/' && search === '')) return origins
  context.addIssue('must be addresses without a path, with commas between')
  return z.NEVER
})

export const ingressEnv = z.object({
  NODE_ENV: serviceEnv.NODE_ENV,
  LOG_LEVEL: serviceEnv.LOG_LEVEL,
  HOST: serviceEnv.HOST,
  PORT: serviceEnv.PORT.default(8080),
  INTERNAL_PORT: serviceEnv.INTERNAL_PORT.default(9080),
  /** Whose X-Forwarded-* headers are believed: nobody's, unless there is another proxy in front of the ingress. */
  TRUSTED_PROXIES: list
    .pipe(z.array(z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()])))
    .default([])
    .transform(addressesOf),
  ...Object.fromEntries(DEPLOYMENTS.map(({ name }) => [variableOf(name), Replicas.optional()])),
})

export type IngressEnv = z.output<typeof ingressEnv> & Readonly<Record<`${string}_URL`, URL[] | undefined>>

export function readEnv(source?: NodeJS.ProcessEnv): IngressEnv {
  return parseEnv(ingressEnv, source) as IngressEnv
}

/** Where each deployment is, by its name; a deployment without an address is not deployed here. */
export function upstreamsOf(env: IngressEnv): Map<string, URL[]> {
  const found = DEPLOYMENTS.map(({ name }) => [name, env[variableOf(name)]] as const)
  return new Map(found.filter((entry): entry is [string, URL[]] => entry[1] !== undefined))
}

function variableOf(deployment: string): `${string}_URL` {
  return `${deployment.toUpperCase()}_URL`
}
