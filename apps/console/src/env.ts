import { DEPLOYMENTS } from '@trestle/contracts/areas'
import { parseEnv, serviceEnv } from '@trestle/runtime/env'
import { z } from 'zod'

// The deployments, and the parts of them that stand alone where there are many machines.
const NAMES = DEPLOYMENTS.filter(({ app }) => app !== 'console').flatMap(({ name, parts = [] }) => [
  name,
  ...parts.map((part) => part.name),
])
const Origin = z.url({ protocol: /^https?$/ }).transform((url) => new URL(url).origin)

export const consoleEnv = z.object({
  NODE_ENV: serviceEnv.NODE_ENV,
  LOG_LEVEL: serviceEnv.LOG_LEVEL,
  HOST: serviceEnv.HOST,
  PORT: serviceEnv.PORT.default(4100),
  INTERNAL_PORT: serviceEnv.INTERNAL_PORT.default(5100),
  ...Object.fromEntries(NAMES.map((name) => [variableOf(name), Origin.optional()])),
})

export type ConsoleEnv = z.output<typeof consoleEnv> & Readonly<Record<`${string}_URL`, string | undefined>>

export function readEnv(source?: NodeJS.ProcessEnv): ConsoleEnv {
  return parseEnv(consoleEnv, source) as ConsoleEnv
}

/** Where each deployment is, by its name; one without an address is not deployed here. */
export function deploymentOrigins(env: ConsoleEnv): Map<string, string> {
  const found = NAMES.map((name) => [name, env[variableOf(name)]] as const)
  return new Map(found.filter((entry): entry is [string, string] => entry[1] !== undefined))
}

function variableOf(name: string): `${string}_URL` {
  return `${name.toUpperCase().replaceAll('-', '_')}_URL`
}
